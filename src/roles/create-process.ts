import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConfigModule } from '../platform/config/config.module.js';
import type { Settings } from '../platform/config/load-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { HealthModule } from '../platform/health/health.module.js';
import { createHttpApplication } from '../platform/http/create-http-application.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { RedisModule } from '../platform/redis/redis.module.js';

class ProcessModule {}

/**
 * A process that serves HTTP, ready for `init()` (tests) or `listen()`.
 * @param gate `module`: one of the features provides the `RequestGate`; `closed`: only public routes are served
 */
export function createProcess(
  settings: Settings,
  log: Log | undefined,
  gate: 'module' | 'closed',
  features: Required<DynamicModule>['imports'],
): Promise<NestFastifyApplication> {
  const { config } = settings;
  const imports = [ConfigModule.forRoot(settings), DatabaseModule, RedisModule, HealthModule, ...features];
  return createHttpApplication(
    { module: ProcessModule, imports },
    config,
    log ?? createLog(config.logging.level),
    gate,
  );
}
