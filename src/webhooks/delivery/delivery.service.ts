import { Injectable, Logger } from '@nestjs/common';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import type { DisabledBy } from '../endpoints/endpoint.entity.js';
import { deliveryContext, secretContext } from '../sealing-contexts.js';
import { signDelivery } from '../signing/sign-delivery.js';
import { DeliveryEndingsRepository } from './delivery-endings.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliverySender, type Attempt, type Message } from './delivery-sender.js';
import { DeliveryTurnsRepository, type ClaimedDelivery, type SendingEndpoint } from './delivery-turns.repository.js';
import { judgeAttempt, type JudgedAttempt } from './judge-attempt.js';

/** After this long a run claims nothing more, and other endpoints have their turn. */
const RUN_MS = 5000;
/** A claim costs as much as a delivery: from an endpoint that answers within this time a run claims several ahead. */
const QUICK_MS = 500;
const AHEAD = 10;
/** A claim lasts 30 s and an attempt up to 15 s: what has waited longer is left to a later run. */
const WAITS_MS = 10_000;
const UNREADABLE: Attempt = { kind: 'unanswered', fault: 'unreadable', ours: true, tookMs: 0 };

/** Sends what is due to one endpoint: several deliveries at once, never more than its share. */
@Injectable()
export class DeliveryService {
  private readonly logger = new Logger('Webhooks');

  constructor(
    private readonly turns: DeliveryTurnsRepository,
    private readonly endings: DeliveryEndingsRepository,
    private readonly sender: DeliverySender,
    private readonly sealer: TextSealer,
    private readonly metrics: DeliveryMetrics,
  ) {}

  /** @param stop aborted when the process stops: attempts under way are left to other processes */
  async run(endpointId: string, stop: AbortSignal): Promise<JobEnding> {
    const endpoint = await this.turns.findEndpoint(endpointId);
    if (endpoint === null) return OVER;
    const run = new Run(endpoint, performance.now() + RUN_MS);
    for (;;) {
      if (run.mayClaim && !stop.aborted) await this.claim(run);
      while (run.room > 0 && run.waiting.length > 0) this.begin(run, run.waiting.shift()!, stop);
      if (run.attempts.size === 0) break;
      await Promise.race(run.attempts);
    }
    if (run.error !== null) throw run.error;
    if (run.isOff) return OVER;
    const dueMs = await this.turns.nextDueMs(endpointId);
    return dueMs === null ? OVER : { kind: 'again', afterMs: dueMs };
  }

  /** Never rejects: attempts are under way. */
  private async claim(run: Run): Promise<void> {
    try {
      const { deliveries, secrets } = await this.turns.claim(run.receiver, run.isQuick ? AHEAD : run.room);
      if (deliveries.length > 0) run.takes(deliveries, this.openSecrets(run.receiver, secrets));
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
    if (stop.aborted || run.isOff || run.hasWaitedLong) return this.endings.release(claimed);
    const message = this.read(run, claimed);
    const attempt: Attempt = message === null ? UNREADABLE : await this.sender.send(message, stop);
    if (attempt.kind === 'unanswered' && attempt.fault === 'interrupted') return this.endings.release(claimed);
    run.isQuick = attempt.tookMs < QUICK_MS;
    await this.conclude(run, claimed, attempt);
  }

  /** Null: the key is gone that sealed it. */
  private read({ receiver: { url }, secrets }: Run, { id, body: sealed }: ClaimedDelivery): Message | null {
    if (secrets === null) return null;
    try {
      const body = this.sealer.open(sealed, deliveryContext(id));
      return { url, headers: { ...signDelivery({ id, body, at: new Date() }, secrets) }, body };
    } catch (err) {
      this.logger.error({ err }, 'a delivery cannot be read');
      return null;
    }
  }

  private async conclude(run: Run, claimed: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const judged = judgeAttempt(attempt, claimed.attempts);
    const answered = attempt.kind === 'answered';
    await this.endings.record(claimed, {
      status: answered ? attempt.status : null,
      fault: answered ? null : attempt.fault,
      answer: answered ? this.sealer.seal(attempt.answer, deliveryContext(claimed.id)) : null,
      tookMs: attempt.tookMs,
      next: judged.next,
    });
    this.metrics.count(judged.outcome, attempt.tookMs / 1000);
    await run.notes(() => this.noteEndpoint(run, judged));
  }

  /** Keeps how the endpoint does. */
  private async noteEndpoint(run: Run, { outcome, blames }: JudgedAttempt): Promise<void> {
    const { receiver } = run;
    const { endings } = this;
    if (outcome === 'delivered') {
      if (run.isFailing) await endings.noteSuccess(receiver);
      run.isFailing = false;
    } else if (outcome === 'gone') {
      await this.switchOff(run, 'gone');
    } else if (blames === 'endpoint') {
      run.isFailing = true;
      if (!(await endings.noteFailure(receiver))) await this.switchOff(run, 'failing');
    }
  }

  private async switchOff(run: Run, by: Exclude<DisabledBy, 'person'>): Promise<void> {
    if (!(await this.endings.switchOff(run.receiver, by))) return;
    this.logger.warn({ webhook: run.receiver.id, by }, 'a webhook is off');
    run.isOff = true;
  }

  private openSecrets({ id }: SendingEndpoint, sealedSecrets: readonly Buffer[]): readonly string[] | null {
    try {
      return sealedSecrets.map((sealed) => this.sealer.open(sealed, secretContext(id)));
    } catch (err) {
      this.logger.error({ err, webhook: id }, 'the secret of a webhook cannot be read');
      return null;
    }
  }
}

/** One run of an endpoint. */
class Run {
  readonly attempts = new Set<Promise<void>>();
  /** Claimed, and not yet begun. */
  readonly waiting: ClaimedDelivery[] = [];
  /** What signs them; null: the key is gone that sealed it. */
  secrets: readonly string[] | null = null;
  /** The last answer came soon. */
  isQuick = false;
  /** The endpoint was switched off. */
  isOff = false;
  /** The first error of our own. */
  error: unknown = null;
  isFailing: boolean;
  private claimedAt = 0;
  private noted: Promise<void> = Promise.resolve();

  constructor(
    readonly receiver: SendingEndpoint,
    private readonly until: number,
  ) {
    this.isFailing = receiver.isFailing;
  }

  /** One note of the endpoint at a time, in the order in which its attempts ended: the last one stands. */
  notes(note: () => Promise<void>): Promise<void> {
    const made = this.noted.then(note);
    this.noted = made.catch(() => undefined);
    return made;
  }

  takes(claimed: readonly ClaimedDelivery[], secrets: readonly string[] | null): void {
    this.claimedAt = performance.now();
    this.secrets = secrets;
    this.waiting.push(...claimed);
  }

  get hasWaitedLong(): boolean {
    return performance.now() - this.claimedAt > WAITS_MS;
  }

  /** How many deliveries may be added to those under way. */
  get room(): number {
    return this.receiver.share - this.attempts.size;
  }

  get mayClaim(): boolean {
    const isInTime = performance.now() < this.until;
    return isInTime && this.room > 0 && this.waiting.length === 0 && !this.isOff && this.error === null;
  }
}
