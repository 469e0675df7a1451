import type { Redis } from 'ioredis';
import { SMTP_STAGES, type SmtpStage } from '../../engine/smtp/reply.js';
import { depthOfRank, rankOf } from './join-outcome.js';
import { COMPLETE_LEASE, RENEW_LEASE, ACQUIRE_LEASE } from './lease-scripts.js';
import type { CheckCompletion, Leases, LeaseState, AcquireAnswer, AcquireRequest } from './leases.js';

export interface RedisLeasesOptions {
  /** A holder that does not renew for so long counts as dead. */
  readonly leaseMs: number;
  /** How long waiters who missed the message can read a completion. */
  readonly completionsMs: number;
  /** The channel that completions are published on. */
  readonly channel: string;
}

type Argument = string | number;
interface Scripts {
  mailvetAcquireLease(...given: Argument[]): Promise<[taken: number, at: number, until: number, completed: number]>;
  mailvetRenewLease(...given: Argument[]): Promise<unknown>;
  mailvetCompleteLease(...given: Argument[]): Promise<number>;
}

/**
 * Leases of all processes in Redis: one round trip to acquire, one to complete. Rejects while Redis does not answer.
 */
export class RedisLeases implements Leases {
  private readonly scripts: Scripts;

  constructor(
    private readonly redis: Redis,
    private readonly options: RedisLeasesOptions,
  ) {
    redis.defineCommand('mailvetAcquireLease', { lua: ACQUIRE_LEASE, numberOfKeys: 2 });
    redis.defineCommand('mailvetRenewLease', { lua: RENEW_LEASE, numberOfKeys: 2 });
    redis.defineCommand('mailvetCompleteLease', { lua: COMPLETE_LEASE, numberOfKeys: 3 });
    this.scripts = redis as Redis & Scripts;
  }

  async acquire({ hash, token, last }: AcquireRequest): Promise<AcquireAnswer> {
    const { lease, completions } = keysOf(hash);
    const [taken, at, until, completed] = await this.scripts.mailvetAcquireLease(
      lease,
      completions,
      token,
      this.options.leaseMs,
      last?.at ?? '',
      last?.until ?? '',
    );
    return { taken: taken === 1, at, until, completed: depthOfRank(completed) };
  }

  async renew(hash: string, token: string, stage: SmtpStage | null): Promise<void> {
    const keys = keysOf(hash);
    await this.scripts.mailvetRenewLease(keys.lease, keys.stage, token, this.options.leaseMs, stage ?? '');
  }

  async stageOf(hash: string): Promise<SmtpStage | null> {
    const kept = await this.redis.get(keysOf(hash).stage);
    return SMTP_STAGES.find((stage) => stage === kept) ?? null;
  }

  async complete({ hash, token, depth, stored }: CheckCompletion): Promise<LeaseState> {
    const { completionsMs, channel } = this.options;
    const { lease, completions, stage: stageKey } = keysOf(hash);
    const rank = stored ? rankOf(depth) : 0;
    const at = await this.scripts.mailvetCompleteLease(
      lease,
      completions,
      stageKey,
      token,
      rank,
      completionsMs,
      channel,
      hash,
    );
    return { at, until: at };
  }
}

/** The braces keep the keys in one slot of a Redis cluster. */
function keysOf(hash: string): Readonly<Record<'lease' | 'completions' | 'stage', string>> {
  const prefix = `mailvet:flight:{${hash}}`;
  return { lease: `${prefix}:lease`, completions: `${prefix}:landings`, stage: `${prefix}:stage` };
}
