import { Controller, Get } from '@nestjs/common';
import { PublicRoute } from '../http/public-route.js';
import { HealthDetails } from './health-details.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

interface HealthAnswer {
  readonly status: 'ok';
}

interface ReadyAnswer {
  /** `degraded`: Redis takes no writes, and every process does without it. Requests may be sent here all the same. */
  readonly status: 'ok' | 'degraded';
  /** By the server that was asked, or the part of the process that they are about. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What works, but not as it should. */
  readonly warnings: readonly string[];
}

const OK: HealthAnswer = { status: 'ok' };

/** Probes of orchestrators and balancers; a failing one answers with the error body like everything else. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly liveness: Liveness,
    private readonly readiness: Readiness,
    private readonly details: HealthDetails,
  ) {}

  /** The process does its work. Depends on nobody: restarting us does not mend a database. */
  @Get('live')
  @PublicRoute()
  live(): HealthAnswer {
    this.liveness.check();
    return OK;
  }

  /** Requests may be sent here. */
  @Get('ready')
  @PublicRoute()
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
  @Get('startup')
  @PublicRoute()
  startup(): HealthAnswer {
    return OK;
  }
}
