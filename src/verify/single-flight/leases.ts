import type { Redis } from 'ioredis';
import { SMTP_STAGES, type SmtpStage } from '../../engine/smtp/reply.js';
import { RedisFailover } from '../../platform/redis/redis-failover.js';
import { depthOfRank, rankOf, type CheckDepth } from './join-outcome.js';
import { ACQUIRE_LEASE, COMPLETE_LEASE, RENEW_LEASE } from './lease-scripts.js';

/** Times are milliseconds of the clock of Redis. */
export interface LeaseState {
  readonly at: number;
  /** When the lease ends unless it is renewed; in the past: there was none. */
  readonly until: number;
}

export interface AcquireRequest {
  /** Address hash. */
  readonly hash: string;
  /** Identifies the caller. A token that already holds the lease gets it again, in case the first answer was lost. */
  readonly token: string;
  /** The previous poll of the waiters; null: this is the first. */
  readonly last: LeaseState | null;
}

export interface AcquireAnswer extends LeaseState {
  /** True: this token now holds the lease. */
  readonly taken: boolean;
  /**
   * The depth of the deepest completed check with a stored result since the last poll; on the first poll, of the last
   * seconds.
   */
  readonly completed: CheckDepth | null;
}

/** The end of a leader's check. */
export interface CheckCompletion {
  readonly hash: string;
  readonly token: string;
  readonly depth: CheckDepth;
  readonly stored: boolean;
}

export interface LeasesOptions {
  /** A holder that does not renew for so long counts as dead. */
  readonly leaseMs: number;
  /** The channel that completions are published on. */
  readonly channel: string;
  /** How long Redis is not asked after a failure. */
  readonly retryMs?: number;
}

type Argument = string | number;
interface Scripts {
  mailvetAcquireLease(...given: Argument[]): Promise<[taken: number, at: number, until: number, completed: number]>;
  mailvetRenewLease(...given: Argument[]): Promise<unknown>;
  mailvetCompleteLease(...given: Argument[]): Promise<number>;
}

/** How long waiters who missed the message can read a completion: many poll intervals of a waiter. */
const COMPLETIONS_MS = 10_000;
/** Shorter than a waiter's poll interval: Redis gets a second chance after one failure. */
const RETRY_MS = 250;

/**
 * Who checks which address: leases of all processes in Redis, one round trip to acquire, one to complete. The loss of Redis
 * fails no check: each process is then by itself.
 */
export class Leases {
  private readonly scripts: Scripts;
  private readonly failover: RedisFailover;

  constructor(
    private readonly redis: Redis,
    private readonly options: LeasesOptions,
  ) {
    redis.defineCommand('mailvetAcquireLease', { lua: ACQUIRE_LEASE, numberOfKeys: 2 });
    redis.defineCommand('mailvetRenewLease', { lua: RENEW_LEASE, numberOfKeys: 2 });
    redis.defineCommand('mailvetCompleteLease', { lua: COMPLETE_LEASE, numberOfKeys: 3 });
    this.scripts = redis as Redis & Scripts;
    this.failover = new RedisFailover({
      name: 'SingleFlight',
      lost: 'Redis keeps no leases: single-flight works within each process only',
      back: 'single-flight works across all processes again',
      retryMs: options.retryMs ?? RETRY_MS,
    });
  }

  /** False while Redis is lost. */
  get isShared(): boolean {
    return this.failover.isShared;
  }

  /**
   * Takes a free lease. A waiter does not take a lease that vanished before its expiry without a completion: Redis was
   * emptied, and a live holder will renew its lease there.
   * @returns null: Redis is lost
   */
  acquire({ hash, token, last }: AcquireRequest): Promise<AcquireAnswer | null> {
    const { lease, completions } = keysOf(hash);
    return this.failover.ask<AcquireAnswer | null>(async () => {
      const [taken, at, until, completed] = await this.scripts.mailvetAcquireLease(
        lease,
        completions,
        token,
        this.options.leaseMs,
        last?.at ?? '',
        last?.until ?? '',
      );
      return { taken: taken === 1, at, until, completed: depthOfRank(completed) };
    }, nothing);
  }

  /**
   * Prolongs the lease, or takes it (again) if it is free, and stores the stage of its check. Leaves another holder's
   * lease alone.
   */
  async renew(hash: string, token: string, stage: SmtpStage | null): Promise<void> {
    const keys = keysOf(hash);
    const { leaseMs } = this.options;
    await this.failover.ask(
      () => this.scripts.mailvetRenewLease(keys.lease, keys.stage, token, leaseMs, stage ?? ''),
      nothing,
    );
  }

  /**
   * The stage that the holder had reached at its last renewal; null: it had asked no mail host, there is no holder, or
   * Redis is lost.
   */
  async stageOf(hash: string): Promise<SmtpStage | null> {
    const kept = await this.failover.ask(() => this.redis.get(keysOf(hash).stage), nothing);
    return SMTP_STAGES.find((stage) => stage === kept) ?? null;
  }

  /**
   * Frees the lease if this token still holds it, remembers a stored result either way, and notifies the waiters. Also
   * sent while Redis is lost, in case it is back, but not awaited then.
   * @returns the state that this holder's waiters poll from next; null: Redis is lost
   */
  async complete({ hash, token, depth, stored }: CheckCompletion): Promise<LeaseState | null> {
    const { isShared } = this;
    const { lease, completions, stage } = keysOf(hash);
    const rank = stored ? rankOf(depth) : 0;
    const { channel } = this.options;
    const told = this.failover.watch<number | null>(
      this.scripts.mailvetCompleteLease(lease, completions, stage, token, rank, COMPLETIONS_MS, channel, hash),
      nothing,
    );
    const at = isShared ? await told : null;
    return at === null ? null : { at, until: at };
  }
}

/** The braces keep the keys in one slot of a Redis cluster. */
function keysOf(hash: string): Readonly<Record<'lease' | 'completions' | 'stage', string>> {
  const prefix = `mailvet:flight:{${hash}}`;
  return { lease: `${prefix}:lease`, completions: `${prefix}:landings`, stage: `${prefix}:stage` };
}

function nothing(): null {
  return null;
}
