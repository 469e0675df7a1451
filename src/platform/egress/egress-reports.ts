import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { EgressState } from './egress-state.js';

/** What a process found at its last look at its egresses. */
export interface EgressReport {
  /** What the process is, such as `worker`. */
  readonly role: string;
  /** The machine or container it runs on. */
  readonly host: string;
  readonly egresses: readonly EgressState[];
}

/** Sorted set: processes by the millisecond at which their report ends. The braces keep all in one slot of a cluster. */
const REPORTS = 'mailvet:egress:{reports}';
const KEPT_MS = 60_000;

/** Reports of all processes on their egresses, in Redis: each ends a minute after its process has written it last. */
@Injectable()
export class EgressReports {
  private readonly process = randomUUID();

  constructor(private readonly redis: Redis) {}

  async write(role: string, egresses: readonly EgressState[]): Promise<void> {
    const report: EgressReport = { role, host: hostname(), egresses };
    await this.redis
      .multi()
      .set(keyOf(this.process), JSON.stringify(report), 'PX', KEPT_MS)
      .zremrangebyscore(REPORTS, '-inf', Date.now())
      .zadd(REPORTS, Date.now() + KEPT_MS, this.process)
      .pexpire(REPORTS, KEPT_MS)
      .exec();
  }

  /** Withdraws the report of this process. */
  async end(): Promise<void> {
    await this.redis.multi().del(keyOf(this.process)).zrem(REPORTS, this.process).exec();
  }

  async read(): Promise<EgressReport[]> {
    const processes = await this.redis.zrange(REPORTS, Date.now(), '+inf', 'BYSCORE');
    if (processes.length === 0) return [];
    const reports = await this.redis.mget(processes.map(keyOf));
    return reports
      .flatMap((text) => (text === null ? [] : [JSON.parse(text) as EgressReport]))
      .sort((a, b) => `${a.role} ${a.host}`.localeCompare(`${b.role} ${b.host}`));
  }
}

function keyOf(process: string): string {
  return `${REPORTS}:${process}`;
}
