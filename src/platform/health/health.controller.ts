import { Controller, Get } from '@nestjs/common';
import { PublicRoute } from '../http/public-route.js';
import { HealthService, type HealthAnswer, type ReadyAnswer } from './health.service.js';

/** Probes of orchestrators and balancers; a failing one answers with the error body like everything else. */
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @PublicRoute()
  live(): HealthAnswer {
    return this.health.live();
  }

  @Get('ready')
  @PublicRoute()
  ready(): Promise<ReadyAnswer> {
    return this.health.ready();
  }

  @Get('startup')
  @PublicRoute()
  startup(): HealthAnswer {
    return this.health.startup();
  }
}
