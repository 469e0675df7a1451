import type { Politeness, PolitenessAnswer, PolitenessRequest } from '../../engine/smtp/politeness.js';
import { throttleKeys, type ThrottleStore, type ThrottleAnswer, type ThrottleKeys } from './throttle-store.js';
import { burstOf, limitsOf, paceFor, rateOf, type Limits } from './limits.js';
import { PermitQueue, type Wait } from './permit-queue.js';

export interface LimitedPolitenessOptions {
  /** For hosts outside the provider table. */
  readonly limits: Limits;
  /** For tests. */
  readonly random?: () => number;
}

/** Current load. */
interface PolitenessState {
  /** Permits not yet released. */
  readonly held: number;
  readonly waiting: number;
}

/** A session may outlive its deadline by this long while its sockets are closed. */
const LEASE_SLACK_MS = 5000;

/**
 * Grants connection permits from a throttle store, which must not reject (decisions 6.6). A request that cannot be
 * granted at once waits in line until its patience or deadline ends; it is refused at once if the pace would let it in
 * only after that. A lease lasts as long as the check can still take, so it needs no renewal, and the lease of a
 * crashed holder expires by itself.
 */
export class LimitedPoliteness implements Politeness {
  private readonly queues = new Map<string, PermitQueue>();
  private held = 0;

  constructor(
    private readonly store: ThrottleStore,
    private readonly options: LimitedPolitenessOptions,
  ) {}

  async acquire(request: PolitenessRequest): Promise<PolitenessAnswer> {
    const keys = throttleKeys(request.group, request.egressId, request.domain);
    if (request.connected === true) return this.onOpenConnection(request, keys);
    const { deadline, requester = '', patienceMs = Number.POSITIVE_INFINITY } = request;
    const until = performance.now() + patienceMs;
    const leftMs = (): number => deadline.capMs(until - performance.now());
    const ask = (): Promise<PolitenessAnswer | Wait> => this.ask(request, keys, leftMs());
    const queue = this.queues.get(keys.connections);
    if (queue !== undefined) return queue.enqueue({ requester, deadline, waitMs: leftMs(), ask, lastAnswer: null });
    const answer = await ask();
    if (answer.kind !== 'wait') return answer;
    const waitMs = leftMs();
    if (waitMs <= 0) return { kind: 'full' };
    return this.queueOf(keys.connections).enqueue({ requester, deadline, waitMs, ask, lastAnswer: answer });
  }

  /** Overtakes requests that wait for a connection, since it needs none, but not those that wait for the pace. */
  private async onOpenConnection(request: PolitenessRequest, keys: ThrottleKeys): Promise<PolitenessAnswer> {
    if (this.queues.get(keys.connections)?.isPaced === true) return { kind: 'full' };
    const answer = await this.ask(request, keys, 0);
    return answer.kind === 'wait' ? { kind: 'full' } : answer;
  }

  get state(): PolitenessState {
    let waiting = 0;
    for (const queue of this.queues.values()) waiting += queue.length;
    return { held: this.held, waiting };
  }

  /** @param leftMs how long the request can still wait */
  private async ask(request: PolitenessRequest, keys: ThrottleKeys, leftMs: number): Promise<PolitenessAnswer | Wait> {
    const { deadline, provider, connected, requester } = request;
    const leaseMs = connected === true ? null : Math.ceil(deadline.remainingMs()) + LEASE_SLACK_MS;
    const limits = limitsOf(provider, this.options.limits);
    const rate = rateOf(limits.recipientsPerMinute);
    const recipients = Math.min(request.recipients, burstOf(rate));
    const answer = await this.store.acquire({ keys, recipients, limits, leaseMs, requester, patienceMs: leftMs });
    if (answer.kind === 'granted' && deadline.expired) {
      void answer.release({ kind: 'no_answer', retryAfterSeconds: null });
      return { kind: 'full' };
    }
    if (answer.kind === 'granted') return this.grant(answer, recipients, leaseMs === null ? null : keys.connections);
    if (answer.kind === 'backed_off') return answer;
    if (deadline.expired) return { kind: 'full' };
    if (answer.for !== 'rate' || answer.waitMs < leftMs) return answer;
    return { kind: 'full', pace: paceFor(recipients, rate, answer.waitMs) };
  }

  /** @param freed the line to notify when the connection is released; null: no connection was granted */
  private grant(
    answer: ThrottleAnswer & { kind: 'granted' },
    recipients: number,
    freed: string | null,
  ): PolitenessAnswer {
    this.held += 1;
    let over = false;
    return {
      kind: 'granted',
      recipients,
      release: (outcome, asked = 0) => {
        if (over) return;
        over = true;
        this.held -= 1;
        // Sent before the next waiter asks, so the store counts the release first.
        void answer.release(outcome, Math.max(0, asked - recipients));
        if (freed !== null) this.queues.get(freed)?.connectionFreed();
      },
    };
  }

  private queueOf(key: string): PermitQueue {
    const known = this.queues.get(key);
    if (known !== undefined) return known;
    const queue = new PermitQueue({
      random: this.options.random ?? Math.random,
      onEmpty: () => void this.queues.delete(key),
    });
    this.queues.set(key, queue);
    return queue;
  }
}
