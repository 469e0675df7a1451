import { Controller, Get } from '@nestjs/common';
import { PublicRoute } from '../http/public-route.js';
import { HealthDetails } from './health-details.js';
import { Readiness } from './readiness.js';

interface HealthAnswer {
  readonly status: 'ok';
}

interface ReadyAnswer extends HealthAnswer {
  /** By the part of the process that they are about. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What works, but not as it should. */
  readonly warnings: readonly string[];
}

const OK: HealthAnswer = { status: 'ok' };

/** Probes of orchestrators and balancers; a failing one answers with the error body like everything else. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly details: HealthDetails,
  ) {}

  /** The process runs. Depends on nobody: restarting us does not mend a database. */
  @Get('live')
  @PublicRoute()
  live(): HealthAnswer {
    return OK;
  }

  /** Requests may be sent here. */
  @Get('ready')
  @PublicRoute()
  async ready(): Promise<ReadyAnswer> {
    await this.readiness.check();
    return { ...OK, ...this.details.read() };
  }

  /** The process has started: nothing is served before. */
  @Get('startup')
  @PublicRoute()
  startup(): HealthAnswer {
    return OK;
  }
}
