import { Injectable } from '@nestjs/common';
import { HealthDetails } from './health-details.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

export interface HealthAnswer {
  readonly status: 'ok';
}

export interface ReadyAnswer {
  /** `degraded`: Redis takes no writes, and every process does without it. Requests may be sent here all the same. */
  readonly status: 'ok' | 'degraded';
  /** By the server that was asked, or the part of the process that they are about. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What works, but not as it should. */
  readonly warnings: readonly string[];
}

const OK: HealthAnswer = { status: 'ok' };

/** What is answered to who asks for the health of the process, on whatever port. */
@Injectable()
export class HealthService {
  constructor(
    private readonly liveness: Liveness,
    private readonly readiness: Readiness,
    private readonly details: HealthDetails,
  ) {}

  /**
   * The process does its work. Depends on nobody: restarting us does not mend a database.
   * @throws AppError `service_unavailable` saying what is stuck
   */
  live(): HealthAnswer {
    this.liveness.check();
    return OK;
  }

  /**
   * Requests may be sent here.
   * @throws AppError `service_unavailable` saying what is missing
   */
  async ready(): Promise<ReadyAnswer> {
    const servers = await this.readiness.check();
    const { details, warnings } = this.details.read();
    return {
      status: servers.degraded ? 'degraded' : 'ok',
      details: { ...servers.details, ...details },
      warnings: [...servers.warnings, ...warnings],
    };
  }

  /** The process has started: nothing is served before. */
  startup(): HealthAnswer {
    return OK;
  }
}
