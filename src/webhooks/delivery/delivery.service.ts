import { Injectable, Logger } from '@nestjs/common';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { SealedBodies } from '../outbox/sealed-bodies.js';
import { EndpointSecrets } from '../signing/endpoint-secrets.js';
import { signDelivery } from '../signing/sign-delivery.js';
import { DeliveryEndingsRepository } from './delivery-endings.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliverySender, type Attempt, type Message } from './delivery-sender.js';
import { DeliveryTurnsRepository, type ClaimedDelivery, type SendingEndpoint } from './delivery-turns.repository.js';
import { judgeAttempt } from './judge-attempt.js';

/** After this long a run claims nothing more, and other endpoints have their turn. */
const RUN_MS = 5000;
/** With more attempts under way a run claims no others, so that a claim takes several. */
const REFILL_AT = 5;
const UNREADABLE: Attempt = { kind: 'unanswered', fault: 'unreadable', ours: true, tookMs: 0 };

/** An endpoint with its secrets opened. */
interface Receiver extends SendingEndpoint {
  /** Null: the key is gone that sealed them. */
  readonly opened: readonly string[] | null;
}

/** Sends what is due to one endpoint: several deliveries at once, never more than its share. */
@Injectable()
export class DeliveryService {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly turns: DeliveryTurnsRepository,
    private readonly endings: DeliveryEndingsRepository,
    private readonly sender: DeliverySender,
    private readonly secrets: EndpointSecrets,
    private readonly bodies: SealedBodies,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /** @param stop aborted when the process stops: attempts under way are left to other processes */
  async run(endpointId: string, stop: AbortSignal): Promise<JobEnding> {
    const endpoint = await this.turns.findEndpoint(endpointId);
    if (endpoint === null) return OVER;
    const run = new Run(await this.withSecrets(endpoint), performance.now() + RUN_MS);
    for (;;) {
      if (run.mayClaim && !stop.aborted) await this.claim(run, stop);
      if (run.attempts.size === 0) break;
      await Promise.race(run.attempts);
    }
    if (run.error !== null) throw run.error;
    if (run.isOff) return OVER;
    const dueMs = await this.turns.nextDueMs(endpointId);
    return dueMs === null ? OVER : { kind: 'again', afterMs: dueMs };
  }

  /** Never rejects: attempts are under way. */
  private async claim(run: Run, stop: AbortSignal): Promise<void> {
    try {
      for (const claimed of await this.turns.claim(run.receiver, run.room)) this.begin(run, claimed, stop);
    } catch (error) {
      run.error = error;
    }
  }

  private begin(run: Run, claimed: ClaimedDelivery, stop: AbortSignal): void {
    const attempt = this.attempt(run, claimed, stop)
      .catch((error: unknown) => {
        run.error = error;
      })
      .finally(() => run.attempts.delete(attempt));
    run.attempts.add(attempt);
  }

  private async attempt(run: Run, claimed: ClaimedDelivery, stop: AbortSignal): Promise<void> {
    const message = this.read(run.receiver, claimed);
    const attempt: Attempt = message === null ? UNREADABLE : await this.sender.send(message, stop);
    if (attempt.kind === 'unanswered' && attempt.fault === 'interrupted') return this.endings.release(claimed);
    await this.conclude(run, claimed, attempt);
  }

  /** Null: the key is gone that sealed it. */
  private read({ url, opened }: Receiver, { id, body: sealed }: ClaimedDelivery): Message | null {
    if (opened === null) return null;
    try {
      const body = this.bodies.open(sealed, id);
      return { url, headers: { ...signDelivery({ id, body, at: new Date() }, opened) }, body };
    } catch (err) {
      this.logger.error({ err }, 'a delivery cannot be read');
      return null;
    }
  }

  private async conclude(run: Run, claimed: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const { receiver } = run;
    const { endings } = this;
    const judged = judgeAttempt(attempt, claimed.attempts);
    const answered = attempt.kind === 'answered';
    await endings.record(claimed, {
      status: answered ? attempt.status : null,
      fault: answered ? null : attempt.fault,
      answer: answered ? this.bodies.seal(attempt.answer, claimed.id) : null,
      tookMs: attempt.tookMs,
      next: judged.next,
    });
    this.metrics.count(judged.outcome, attempt.tookMs / 1000);
    if (judged.outcome === 'delivered') {
      if (run.isFailing) await endings.noteSuccess(receiver);
      run.isFailing = false;
    } else if (judged.outcome === 'gone' || (receiver.isLost && run.isFailing && judged.blames === 'endpoint')) {
      run.isOff = true;
      const by = judged.outcome === 'gone' ? 'gone' : 'failing';
      if (await endings.switchOff(receiver, by)) this.logger.warn({ webhook: receiver.id, by }, 'a webhook is off');
    } else if (judged.blames === 'endpoint') {
      if (!run.isFailing) await endings.noteFailure(receiver);
      run.isFailing = true;
    }
  }

  private async withSecrets(endpoint: SendingEndpoint): Promise<Receiver> {
    const { id, secrets } = endpoint;
    const opened = this.openSecrets(endpoint);
    const [current] = secrets;
    if (opened !== null && current !== undefined && !this.secrets.isCurrent(current)) {
      await this.endings.reseal(endpoint, current, this.secrets.seal(opened[0]!, id));
    }
    return { ...endpoint, opened };
  }

  private openSecrets({ id, secrets }: SendingEndpoint): readonly string[] | null {
    try {
      return secrets.map((sealed) => this.secrets.open(sealed, id));
    } catch (err) {
      this.logger.error({ err, webhook: id }, 'the secret of a webhook cannot be read');
      return null;
    }
  }
}

/** One run of an endpoint. */
class Run {
  readonly attempts = new Set<Promise<void>>();
  /** The endpoint was switched off. */
  isOff = false;
  /** The first error of our own. */
  error: unknown = null;
  isFailing: boolean;

  constructor(
    readonly receiver: Receiver,
    private readonly until: number,
  ) {
    this.isFailing = receiver.failingSince !== null;
  }

  /** How many deliveries may be added to those under way. */
  get room(): number {
    return this.receiver.share - this.attempts.size;
  }

  get mayClaim(): boolean {
    const isInTime = performance.now() < this.until;
    return isInTime && this.room > 0 && this.attempts.size <= REFILL_AT && !this.isOff && this.error === null;
  }
}
