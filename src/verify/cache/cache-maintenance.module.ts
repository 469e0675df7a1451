import { Module } from '@nestjs/common';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { CacheModule } from './cache.module.js';
import { CheckCacheRepository } from './check-cache.repository.js';
import { OldChecksTask } from './old-checks.task.js';

/** What the cache has done in the background, for the worker. Needs `DatabaseModule`. */
@Module({
  imports: [CacheModule, DomainsModule],
  providers: [
    {
      provide: OldChecksTask,
      inject: [CheckCacheRepository, CatchAllRepository],
      useFactory: (checks: CheckCacheRepository, catchAlls: CatchAllRepository) => new OldChecksTask(checks, catchAlls),
    },
  ],
  exports: [OldChecksTask],
})
export class CacheMaintenanceModule {}
