import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { OpenApiController } from '../platform/openapi/openapi.controller.js';
import type { Settings } from '../platform/config/load-config.js';
import type { Log } from '../platform/logging/log.js';
import { MetricsListenerModule } from '../platform/metrics-endpoint/metrics.module.js';
import { OpenApiModule } from '../platform/openapi/openapi.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { ApiRoutesModule } from './api-routes.module.js';
import { describeApi } from './api-description.js';
import { createProcess } from './create-process.js';

/** The HTTP API: stateless, so any number may run. */
export async function createApi(settings: Settings, log?: Log): Promise<NestFastifyApplication> {
  const app: NestFastifyApplication = await createProcess(settings, log, 'module', [
    MetricsListenerModule,
    RateLimitModule,
    ApiRoutesModule,
    OpenApiModule.of(OpenApiController, () => describeApi(app)),
  ]);
  return app;
}
