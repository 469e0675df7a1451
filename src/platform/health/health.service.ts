import { Injectable } from '@nestjs/common';
import { HealthDetails } from './health-details.js';
import type { Health, ReadinessResponse } from './health.response.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

const OK: Health = { status: 'ok' };

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
  live(): Health {
    this.liveness.check();
    return OK;
  }

  /**
   * Requests may be sent here.
   * @throws AppError `service_unavailable` saying what is missing
   */
  async ready(): Promise<ReadinessResponse> {
    const servers = await this.readiness.check();
    const { details, warnings } = this.details.read();
    return {
      status: servers.degraded ? 'degraded' : 'ok',
      details: { ...servers.details, ...details },
      warnings: [...servers.warnings, ...warnings],
    };
  }

  /** The process has started: nothing is served before. */
  startup(): Health {
    return OK;
  }
}
