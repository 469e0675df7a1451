import { Injectable } from '@nestjs/common';
import { HealthDetails } from './health-details.js';
import type { Health, ReadinessResponse } from './health.response.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

const OK: Health = { status: 'ok' };

/** The answers of the health endpoints, on either port. */
@Injectable()
export class HealthService {
  constructor(
    private readonly liveness: Liveness,
    private readonly readiness: Readiness,
    private readonly details: HealthDetails,
  ) {}

  /**
   * Checks that the process works. Depends on no server: a restart does not repair a database.
   * @throws AppError `service_unavailable` with what is stuck
   */
  live(): Health {
    this.liveness.check();
    return OK;
  }

  /**
   * Checks that the process can serve requests.
   * @throws AppError `service_unavailable` with what is missing
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

  /** Checks that the process has started; it serves nothing before. */
  startup(): Health {
    return OK;
  }
}
