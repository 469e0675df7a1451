import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CreditsApiModule } from '../billing/credits/credits-api.module.js';
import { GuardModule } from '../guard/guard.module.js';
import { JobsApiModule } from '../jobs/jobs-api.module.js';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/load-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { createHttpApplication } from '../platform/http/create-http-application.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { MetricsListenerModule } from '../platform/metrics-endpoint/metrics.module.js';
import { OpenApiModule } from '../platform/openapi/openapi.module.js';
import { RedisModule } from '../platform/redis/redis.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { DomainsApiModule } from '../verify/domains/domains-api.module.js';
import { VerifyApiModule } from '../verify/verify-api.module.js';
import { WebhooksApiModule } from '../webhooks/webhooks-api.module.js';
import { describeApi } from './api-description.js';

/** The HTTP API: stateless, so any number may run. */
@Module({})
class ApiModule {
  static with(settings: Settings, describe: () => string): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.forRoot(settings),
        DatabaseModule,
        RedisModule,
        HealthModule,
        MetricsListenerModule,
        RateLimitModule,
        CreditsApiModule,
        VerifyApiModule,
        DomainsApiModule,
        JobsApiModule,
        GuardModule,
        WebhooksApiModule,
        OpenApiModule.of(describe),
      ],
    };
  }
}

/** The API, ready for `init()` (tests) or `listen()`. */
export async function createApi(
  settings: Settings,
  log: Log = createLog(settings.config.logging.level),
): Promise<NestFastifyApplication> {
  const module = ApiModule.with(settings, () => describeApi(app));
  const app = await createHttpApplication(module, settings.config, log, 'module');
  return app;
}
