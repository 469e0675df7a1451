import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { AllQueues } from './all-queues.js';
import { QueueConnection } from './queue-connection.js';
import type { QueueName } from '../config/queue-names.js';

/** A waiting job's score is its priority times this, plus a counter. */
const PRIORITY_STEP = 2 ** 32;
/** Priorities to look at: the first ones and the last. */
const PRIORITIES_LOOKED_AT = 8;
/** Jobs to look at per priority: some may have run before. */
const JOBS_LOOKED_AT = 5;

/** Age of waiting jobs that have never run, by queue, milliseconds. */
@Injectable()
export class QueueAges {
  constructor(
    private readonly queues: AllQueues,
    private readonly connection: QueueConnection,
  ) {}

  /**
   * The oldest job's age by queue, 0 where none waits. Skips jobs put back for another run: nothing records when they
   * became due again.
   */
  async read(): Promise<ReadonlyMap<QueueName, number>> {
    const now = Date.now();
    const ages = await Promise.all(
      this.queues.list().map(async ({ name, parts }): Promise<[QueueName, number]> => {
        const since = await Promise.all(parts.map((part) => this.oldestOf(part)));
        return [name, now - Math.min(now, ...since)];
      }),
    );
    return new Map(ages);
  }

  private async oldestOf(part: Queue): Promise<number> {
    const since = await Promise.all((await this.first(part)).map((id) => this.waitsSince(part, id)));
    return Math.min(...since.filter((at) => at !== null));
  }

  private async first(queue: Queue): Promise<string[]> {
    const { redis } = this.connection;
    const ids = await redis.lrange(queue.toKey('wait'), -JOBS_LOOKED_AT, -1);
    const key = queue.toKey('prioritized');
    let from = 0;
    for (let looked = 0; looked < PRIORITIES_LOOKED_AT; looked++) {
      const found = await redis.zrange(key, from, '+inf', 'BYSCORE', 'LIMIT', 0, JOBS_LOOKED_AT, 'WITHSCORES');
      if (found.length === 0) return ids;
      ids.push(...found.filter((_, i) => i % 2 === 0));
      from = PRIORITY_STEP * (Math.floor(Number(found.at(-1)) / PRIORITY_STEP) + 1);
    }
    const [, last] = await redis.zrange(key, -1, -1, 'WITHSCORES');
    if (last === undefined) return ids;
    from = PRIORITY_STEP * Math.floor(Number(last) / PRIORITY_STEP);
    return [...ids, ...(await redis.zrange(key, from, '+inf', 'BYSCORE', 'LIMIT', 0, JOBS_LOOKED_AT))];
  }

  /** Null: the job is gone, or has run before. */
  private async waitsSince(queue: Queue, id: string): Promise<number | null> {
    const { redis } = this.connection;
    const [added = null, opts = null, begun = null] = await redis.hmget(queue.toKey(id), 'timestamp', 'opts', 'ats');
    if (added === null || opts === null || begun !== null) return null;
    const { delay = 0 } = JSON.parse(opts) as { readonly delay?: number };
    return Number(added) + delay;
  }
}
