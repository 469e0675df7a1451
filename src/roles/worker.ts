import { Module, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BillingMaintenanceModule } from '../billing/billing-maintenance.module.js';
import { ExpiredAnswersTask } from '../billing/maintenance/expired-answers.task.js';
import { LedgerClosingTask } from '../billing/maintenance/ledger-closing.task.js';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/load-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { createHttpApplication } from '../platform/http/create-http-application.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { MaintenanceModule } from '../platform/queues/maintenance.module.js';
import { RedisModule } from '../platform/redis/redis.module.js';
import { CacheMaintenanceModule } from '../verify/cache/cache-maintenance.module.js';
import { OldChecksTask } from '../verify/cache/old-checks.task.js';

/** The background worker. Its HTTP side is health only. */
@Module({})
class WorkerModule {
  static with(settings: Settings): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.forRoot(settings),
        DatabaseModule,
        RedisModule,
        HealthModule,
        MaintenanceModule.with(
          [BillingMaintenanceModule, CacheMaintenanceModule],
          [ExpiredAnswersTask, LedgerClosingTask, OldChecksTask],
        ),
      ],
    };
  }
}

/** The worker, ready for `init()` (tests) or `listen()`. */
export function createWorker(
  settings: Settings,
  log: Log = createLog(settings.config.logging.level),
): Promise<NestFastifyApplication> {
  return createHttpApplication(WorkerModule.with(settings), settings.config, log, 'closed');
}
