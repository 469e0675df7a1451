import { RedisFailover } from '../redis/redis-failover.js';
import type { LocalThrottleStore } from './local-throttle-store.js';
import type { PermitRequest, ThrottleAnswer, ThrottleStore } from './throttle-store.js';

const RETRY_MS = 2000;

/** Uses the shared store, or the process's own store while the shared one fails. Never rejects. */
export class FailoverThrottleStore implements ThrottleStore {
  private readonly failover: RedisFailover;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly shared: ThrottleStore,
    private readonly local: LocalThrottleStore,
    now?: () => number,
  ) {
    this.failover = new RedisFailover({
      name: 'Politeness',
      lost: 'Redis does not keep the limits for mail hosts: each process applies its own',
      back: 'limits for mail hosts are shared by all processes again',
      retryMs: RETRY_MS,
      now,
    });
  }

  acquire(request: PermitRequest): Promise<ThrottleAnswer> {
    return this.failover.ask(
      () => this.acquireShared(request),
      () => this.local.acquire(request),
    );
  }

  private async acquireShared(request: PermitRequest): Promise<ThrottleAnswer> {
    const answer = await this.shared.acquire(request);
    if (answer.kind !== 'granted') return answer;
    return {
      kind: 'granted',
      release: (outcome, further) =>
        this.failover.watch(answer.release(outcome, further), () => this.local.record(request.keys, outcome)),
    };
  }
}
