import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { BACK_OFF } from './refusals.js';
import { refusalsNamed } from './throttle-store.js';

/** A pause that mail hosts of one group get from one egress. */
export interface Pause {
  readonly group: string;
  readonly egressId: string;
  /** Null: all domains there. */
  readonly domain: string | null;
  /** Refusals in a row. */
  readonly refusals: number;
  readonly until: Date;
}

/** Sorted set: keys of records of refusals by the millisecond at which their pause ends. Elsewhere in a cluster than those. */
const PAUSES = 'mailvet:politeness:{pauses}';
const MOST_SHOWN = 200;

/** The pauses in force, for people to read. The records of refusals alone decide what is paused. */
@Injectable()
export class Pauses {
  constructor(private readonly redis: Redis) {}

  /** Notes a pause that begins. */
  async note(key: string, untilMs: number): Promise<void> {
    await this.redis
      .multi()
      .zremrangebyscore(PAUSES, '-inf', Date.now())
      .zadd(PAUSES, untilMs, key)
      .pexpire(PAUSES, BACK_OFF.longestPauseMs)
      .exec();
  }

  /** Those that end last come first. */
  async read(): Promise<Pause[]> {
    const keys = await this.redis.zrange(PAUSES, '+inf', `(${Date.now()}`, 'BYSCORE', 'REV', 'LIMIT', 0, MOST_SHOWN);
    const records = await Promise.all(keys.map((key) => this.redis.hmget(key, 'strikes', 'until')));
    return keys.flatMap((key, at) => {
      const [strikes, until] = records[at]!.map(Number) as [number, number];
      const named = refusalsNamed(key);
      // An operator may have ended it by deleting the record.
      if (named === null || until <= Date.now()) return [];
      return [{ ...named, refusals: strikes, until: new Date(until) }];
    });
  }
}
