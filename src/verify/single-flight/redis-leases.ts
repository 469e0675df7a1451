import type { Redis } from 'ioredis';
import { SMTP_STAGES, type SmtpStage } from '../../engine/smtp/reply.js';
import { depthOfRank, rankOf } from './flight.js';
import { LAND_LEASE, RENEW_LEASE, TAKE_LEASE } from './lease-scripts.js';
import type { Landing, Leases, Look, TakeAnswer, TakeRequest } from './leases.js';

export interface RedisLeasesOptions {
  /** A holder that does not renew is taken for dead after so long. */
  readonly leaseMs: number;
  /** How long a landing can be learnt of by those who missed the message: some looks of a waiter. */
  readonly landingsMs: number;
  /** Where landings are told. */
  readonly channel: string;
}

type Argument = string | number;
interface Scripts {
  mailvetTakeLease(...given: Argument[]): Promise<[taken: number, at: number, until: number, landed: number]>;
  mailvetRenewLease(...given: Argument[]): Promise<unknown>;
  mailvetLandLease(...given: Argument[]): Promise<number>;
}

/** The book of all processes, in Redis: one round trip to take, one to land. Rejects while Redis does not answer. */
export class RedisLeases implements Leases {
  private readonly scripts: Scripts;

  constructor(
    private readonly redis: Redis,
    private readonly options: RedisLeasesOptions,
  ) {
    redis.defineCommand('mailvetTakeLease', { lua: TAKE_LEASE, numberOfKeys: 2 });
    redis.defineCommand('mailvetRenewLease', { lua: RENEW_LEASE, numberOfKeys: 2 });
    redis.defineCommand('mailvetLandLease', { lua: LAND_LEASE, numberOfKeys: 3 });
    this.scripts = redis as Redis & Scripts;
  }

  async take({ hash, token, last }: TakeRequest): Promise<TakeAnswer> {
    const { lease, landings } = keysOf(hash);
    const [taken, at, until, landed] = await this.scripts.mailvetTakeLease(
      lease,
      landings,
      token,
      this.options.leaseMs,
      last?.at ?? '',
      last?.until ?? '',
    );
    return { taken: taken === 1, at, until, landed: depthOfRank(landed) };
  }

  async renew(hash: string, token: string, stage: SmtpStage | null): Promise<void> {
    const keys = keysOf(hash);
    await this.scripts.mailvetRenewLease(keys.lease, keys.stage, token, this.options.leaseMs, stage ?? '');
  }

  async stageOf(hash: string): Promise<SmtpStage | null> {
    const kept = await this.redis.get(keysOf(hash).stage);
    return SMTP_STAGES.find((stage) => stage === kept) ?? null;
  }

  async land({ hash, token, depth, stored }: Landing): Promise<Look> {
    const { landingsMs, channel } = this.options;
    const { lease, landings, stage: stageKey } = keysOf(hash);
    const rank = stored ? rankOf(depth) : 0;
    const at = await this.scripts.mailvetLandLease(lease, landings, stageKey, token, rank, landingsMs, channel, hash);
    return { at, until: at };
  }
}

/** The part in braces makes a Redis cluster keep them together. */
function keysOf(hash: string): Readonly<Record<'lease' | 'landings' | 'stage', string>> {
  const prefix = `mailvet:flight:{${hash}}`;
  return { lease: `${prefix}:lease`, landings: `${prefix}:landings`, stage: `${prefix}:stage` };
}
