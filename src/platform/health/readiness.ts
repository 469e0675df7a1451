import { Injectable, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, HealthIndicatorService, type HealthIndicatorResult } from '@nestjs/terminus';
import { DeadlineMissed, withinDeadline } from '../scheduling/within-deadline.js';
import { DatabaseHealth } from '../database/database-health.js';
import { AppError } from '../errors/app-error.js';
import { RedisHealth } from '../redis/redis-health.js';
import { ProcessState } from '../process/process-state.js';

/** How long an answer is cached: the servers are checked at most once a second. */
const REUSE_MS = 1000;
const CHECK_MS = 2000;

/** The state of the servers of a ready process. */
export interface Servers {
  /** By name of the server: it is up, its response time in milliseconds, and details. */
  readonly details: HealthIndicatorResult;
  /** A server is degraded, and the process works without a part of it. */
  readonly degraded: boolean;
  /** Problems that an operator should fix, one line each. */
  readonly warnings: readonly string[];
}

/**
 * Ready: the database and Redis answer, no migration of this build is pending, the process is not stopping, and every
 * requirement of its parts is met.
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
   * Adds a requirement of a part of the process.
   * @param missing the message while it is not met
   */
  require(missing: string, isMet: () => boolean): void {
    this.requirements.push({ missing, isMet });
  }

  /** @throws AppError `service_unavailable` with what is missing */
  async check(): Promise<Servers> {
    if (this.state.stopping) throw notReady(['the process is stopping']);
    const details = await this.askServers();
    // While a server is down, unmet requirements follow from that: report only the server.
    const missing = this.requirements.filter(({ isMet }) => !isMet()).map((requirement) => requirement.missing);
    if (missing.length > 0) throw notReady(missing);
    const { refusesWrites, evictionPolicy } = this.redis.condition;
    const redis = {
      ...details['redis']!,
      writes: refusesWrites === null ? 'taken' : 'refused',
      maxmemory_policy: evictionPolicy,
    };
    const { isWritable } = this.database;
    const database = { ...details['database']!, writes: isWritable ? 'taken' : 'refused' };
    return {
      details: { ...details, database, redis },
      degraded: refusesWrites !== null || !isWritable,
      warnings: [...this.database.warnings, ...this.redis.warnings],
    };
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
