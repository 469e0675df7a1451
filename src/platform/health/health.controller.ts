import { Controller, Get } from '@nestjs/common';
import { PublicRoute } from '../http/public-route.js';
import { Readiness } from './readiness.js';

interface HealthAnswer {
  readonly status: 'ok';
}

const OK: HealthAnswer = { status: 'ok' };

/** Probes of orchestrators and balancers; a failing one answers with the error body like everything else. */
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs. Depends on nobody: restarting us does not mend a database. */
  @Get('live')
  @PublicRoute()
  live(): HealthAnswer {
    return OK;
  }

  /** Requests may be sent here. */
  @Get('ready')
  @PublicRoute()
  async ready(): Promise<HealthAnswer> {
    await this.readiness.check();
    return OK;
  }

  /** The process has started: nothing is served before. */
  @Get('startup')
  @PublicRoute()
  startup(): HealthAnswer {
    return OK;
  }
}
