import { Controller, Get, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '../http/public-route.js';
import { ApiErrors } from '../openapi/api-answers.js';
import { Health, ReadinessResponse } from './health.response.js';
import { HealthService } from './health.service.js';

const OK: Health = { status: 'ok' };
const READY: ReadinessResponse = {
  status: 'ok',
  details: { database: { status: 'up' }, redis: { status: 'up' } },
  warnings: [],
};

const probe = (operationId: string, summary: string) =>
  ApiOperation({
    operationId,
    summary,
    description: 'For orchestrators and balancers.',
    security: [],
  });
const passed = (type: Type, value: object) =>
  ApiOkResponse({ type, description: 'Yes.', examples: { ok: { summary: 'Yes', value } } });

/** Probes for orchestrators and load balancers. A failing probe answers with the usual error body. */
@Controller('health')
@ApiTags('Operation')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @PublicRoute()
  @probe('checkLiveness', 'Does the process do its work?')
  @passed(Health, OK)
  @ApiErrors('service_unavailable')
  live(): Health {
    return this.health.live();
  }

  @Get('ready')
  @PublicRoute()
  @probe('checkReadiness', 'May requests be sent here?')
  @passed(ReadinessResponse, READY)
  @ApiErrors('service_unavailable')
  ready(): Promise<ReadinessResponse> {
    return this.health.ready();
  }

  @Get('startup')
  @PublicRoute()
  @probe('checkStartup', 'Has the process started?')
  @passed(Health, OK)
  startup(): Health {
    return this.health.startup();
  }
}
