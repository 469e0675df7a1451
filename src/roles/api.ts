import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CreditsApiModule } from '../billing/credits/credits-api.module.js';
import { GuardModule } from '../guard/guard.module.js';
import { JobsApiModule } from '../jobs/jobs-api.module.js';
import type { Settings } from '../platform/config/load-config.js';
import type { Log } from '../platform/logging/log.js';
import { MetricsListenerModule } from '../platform/metrics-endpoint/metrics.module.js';
import { OpenApiModule } from '../platform/openapi/openapi.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { DomainsApiModule } from '../verify/domains/domains-api.module.js';
import { VerifyApiModule } from '../verify/verify-api.module.js';
import { WebhooksApiModule } from '../webhooks/webhooks-api.module.js';
import { describeApi } from './api-description.js';
import { createProcess } from './create-process.js';

/** The HTTP API: stateless, so any number may run. */
export async function createApi(settings: Settings, log?: Log): Promise<NestFastifyApplication> {
  const app: NestFastifyApplication = await createProcess(settings, log, 'module', [
    MetricsListenerModule,
    RateLimitModule,
    CreditsApiModule,
    VerifyApiModule,
    DomainsApiModule,
    JobsApiModule,
    GuardModule,
    WebhooksApiModule,
    OpenApiModule.of(() => describeApi(app)),
  ]);
  return app;
}
