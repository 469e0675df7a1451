import { Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { CuratedModule } from '../../domains/curated/curated.module.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { SignalListsModule } from '../../domains/lists/signal-lists.module.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { politenessOptions } from '../../platform/politeness/politeness-options.js';
import { RedisPoliteness } from '../../platform/politeness/redis-politeness.js';
import { EngineProvider } from './engine-provider.js';

/** The engine of a process that checks addresses: the API or the worker. Needs `RedisModule` and `HealthModule`. */
@Module({
  imports: [CuratedModule, DomainsModule, SignalListsModule],
  providers: [
    // A factory: the limits come from the SMTP_* variables.
    {
      provide: RedisPoliteness,
      inject: [Redis, AppConfig],
      useFactory: (redis: Redis, { smtp }: AppConfig) => new RedisPoliteness(redis, politenessOptions(smtp)),
    },
    EngineProvider,
  ],
  exports: [EngineProvider],
})
export class EngineModule {}
