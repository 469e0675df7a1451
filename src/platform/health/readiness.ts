import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { DeadlineMissed, withinDeadline } from '../scheduling/within-deadline.js';
import { DatabaseHealth } from '../database/database-health.js';
import { AppError } from '../errors/app-error.js';
import { RedisHealth } from '../redis/redis-health.js';
import { ProcessState } from '../process/process-state.js';

/** An answer is good for so long: whoever asks, the servers behind are asked once a second at most. */
const REUSE_MS = 1000;
const CHECK_MS = 2000;

/** What was found of the servers behind a process that is ready. */
export interface Servers {
  /** By the name of a server: that it is up, how many milliseconds its answer took, and what else is to be known of it. */
  readonly details: HealthIndicatorResult;
  /** One of them does less than it should, and the process does without. */
  readonly degraded: boolean;
  /** What an operator should mend, one line each. */
  readonly warnings: readonly string[];
}

/**
 * Ready: the database and Redis answer, no migration of this build is pending, the process is not stopping, and has what its
 * parts require.
 */
@Injectable()
export class Readiness {
  private readonly requirements: { readonly missing: string; readonly isMet: () => boolean }[] = [];

  constructor(
    private readonly state: ProcessState,
    private readonly database: DatabaseHealth,
    private readonly redis: RedisHealth,
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /**
   * Something a part of the process must have before requests are sent here.
   * @param missing said while it has not
   */
  require(missing: string, isMet: () => boolean): void {
    this.requirements.push({ missing, isMet });
  }

  /** @throws AppError `service_unavailable` saying what is missing */
  async check(): Promise<Servers> {
    if (this.state.stopping) throw notReady(['the process is stopping']);
    const details = await this.askServers();
    // What is missing while a server is down is missing for that reason: it goes without saying.
    const missing = this.requirements.filter(({ isMet }) => !isMet()).map((requirement) => requirement.missing);
    if (missing.length > 0) throw notReady(missing);
    const { refusesWrites, evictionPolicy } = this.redis.condition;
    const redis = {
      ...details['redis']!,
      writes: refusesWrites === null ? 'taken' : 'refused',
      maxmemory_policy: evictionPolicy,
    };
    return { details: { ...details, redis }, degraded: refusesWrites !== null, warnings: this.redis.warnings };
  }

  private async askServers(): Promise<HealthIndicatorResult> {
    const ask = (name: string, check: () => Promise<void>) =>
      this.indicators.check(name).attempt(check).cacheFor(REUSE_MS);
    try {
      const { details } = await this.checks.check([
        ask('database', () => inTime(this.database.check(), 'the database does not answer')),
        ask('redis', () => inTime(this.redis.check(), 'Redis does not answer')),
      ]);
      return details;
    } catch (error) {
      throw error instanceof ServiceUnavailableException ? notReady(whatIsDown(error)) : error;
    }
  }
}

function whatIsDown(refusal: ServiceUnavailableException): readonly string[] {
  const { error = {} } = refusal.getResponse() as { readonly error?: HealthIndicatorResult };
  return Object.values(error).map(({ message }) => String(message));
}

async function inTime(check: Promise<void>, message: string): Promise<void> {
  try {
    await withinDeadline(check, CHECK_MS);
  } catch (error) {
    throw error instanceof DeadlineMissed ? new Error(message) : error;
  }
}

function notReady(obstacles: readonly string[]): AppError {
  return new AppError('service_unavailable', `Not ready: ${obstacles.join('; ')}.`, { retryAfterSeconds: 1 });
}
