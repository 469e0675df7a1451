import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { RedisFailover } from '../../platform/redis/redis-failover.js';
import type { CheckCompletion, Leases, LeaseState, AcquireAnswer, AcquireRequest } from './leases.js';

/** Hides the errors of a lease store: its loss fails no check. Without it each process is by itself. */
export class WatchedLeases {
  constructor(
    private readonly leases: Leases,
    private readonly failover: RedisFailover,
  ) {}

  get isShared(): boolean {
    return this.failover.isShared;
  }

  /** Null: the store is down. */
  acquire(request: AcquireRequest): Promise<AcquireAnswer | null> {
    return this.failover.ask<AcquireAnswer | null>(() => this.leases.acquire(request), nothing);
  }

  async renew(hash: string, token: string, stage: SmtpStage | null): Promise<void> {
    await this.failover.ask<void | null>(() => this.leases.renew(hash, token, stage), nothing);
  }

  /** Null: the holder has asked no mail host, there is no holder, or the store is down. */
  stageOf(hash: string): Promise<SmtpStage | null> {
    return this.failover.ask(() => this.leases.stageOf(hash), nothing);
  }

  /** Also sent to a store that is down, in case it is back, but not awaited then. Null: the store is down. */
  async complete(completion: CheckCompletion): Promise<LeaseState | null> {
    const { isShared } = this;
    const told = this.failover.watch<LeaseState | null>(this.leases.complete(completion), nothing);
    return isShared ? told : null;
  }
}

function nothing(): null {
  return null;
}
