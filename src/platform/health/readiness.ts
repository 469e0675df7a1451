import { Injectable } from '@nestjs/common';
import { DatabaseHealth } from '../database/database-health.js';
import { AppError } from '../errors/app-error.js';
import { RedisHealth } from '../redis/redis-health.js';
import { ProcessState } from './process-state.js';

/** An answer is good for so long: whoever asks, the servers behind are asked once a second at most. */
const REUSE_MS = 1000;
const CHECK_MS = 2000;

/**
 * Ready: the database and Redis answer, no migration of this build is pending, the process is not stopping, and has what its
 * parts require.
 */
@Injectable()
export class Readiness {
  private latest: Promise<readonly string[]> | null = null;
  private askedAt = 0;
  private readonly requirements: { readonly missing: string; readonly isMet: () => boolean }[] = [];

  constructor(
    private readonly state: ProcessState,
    private readonly database: DatabaseHealth,
    private readonly redis: RedisHealth,
  ) {}

  /**
   * Something a part of the process must have before requests are sent here.
   * @param missing said while it has not
   */
  require(missing: string, isMet: () => boolean): void {
    this.requirements.push({ missing, isMet });
  }

  /** @throws AppError `service_unavailable` saying what is missing */
  async check(): Promise<void> {
    const obstacles = this.state.stopping ? ['the process is stopping'] : await this.obstacles();
    // What is missing while a server is down is missing for that reason: it goes without saying.
    const said = obstacles.length > 0 ? obstacles : this.missing;
    if (said.length === 0) return;
    throw new AppError('service_unavailable', `Not ready: ${said.join('; ')}.`, { retryAfterSeconds: 1 });
  }

  private get missing(): readonly string[] {
    return this.requirements.filter(({ isMet }) => !isMet()).map(({ missing }) => missing);
  }

  private obstacles(): Promise<readonly string[]> {
    const now = performance.now();
    if (this.latest === null || now - this.askedAt > REUSE_MS) {
      this.askedAt = now;
      this.latest = this.ask();
    }
    return this.latest;
  }

  private async ask(): Promise<readonly string[]> {
    const outcomes = await Promise.allSettled([
      inTime(this.database.check(), 'the database does not answer'),
      inTime(this.redis.check(), 'Redis does not answer'),
    ]);
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as Error).message] : []));
  }
}

async function inTime(check: Promise<void>, message: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), CHECK_MS);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}
