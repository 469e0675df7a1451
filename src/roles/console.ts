import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountPagesModule } from '../console/account-pages.module.js';
import { AdminModule } from '../console/admin/admin.module.js';
import { ConsoleDocumentModule } from '../console/openapi/console-document.module.js';
import { ConsoleModule } from '../console/console.module.js';
import { WebhookPagesModule } from '../console/webhooks/webhook-pages.module.js';
import { ListsModule } from '../console/lists/lists.module.js';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/load-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { createHttpApplication } from '../platform/http/create-http-application.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { MetricsListenerModule } from '../platform/metrics-endpoint/metrics.module.js';
import { RedisModule } from '../platform/redis/redis.module.js';
import { describeConsole } from './console-description.js';

/** The account console: its page and the API behind it. Stateless, so any number may run. */
@Module({})
class ConsoleProcessModule {
  static with(settings: Settings, describe: () => string): DynamicModule {
    return {
      module: ConsoleProcessModule,
      imports: [
        ConfigModule.forRoot(settings),
        DatabaseModule,
        RedisModule,
        HealthModule,
        MetricsListenerModule,
        ConsoleModule,
        AccountPagesModule,
        ListsModule,
        WebhookPagesModule,
        AdminModule,
        ConsoleDocumentModule.of(describe),
      ],
    };
  }
}

/** The console, ready for `init()` (tests) or `listen()`. */
export async function createConsole(
  settings: Settings,
  log: Log = createLog(settings.config.logging.level),
): Promise<NestFastifyApplication> {
  const module = ConsoleProcessModule.with(settings, () => describeConsole(app));
  const app = await createHttpApplication(module, settings.config, log, 'module');
  return app;
}
