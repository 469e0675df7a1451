import { Module } from '@nestjs/common';
import { AcceptedRecipientsRepository } from '../../domains/accepted/accepted-recipients.repository.js';
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
      inject: [CheckCacheRepository, CatchAllRepository, AcceptedRecipientsRepository],
      useFactory: (
        checks: CheckCacheRepository,
        catchAlls: CatchAllRepository,
        accepted: AcceptedRecipientsRepository,
      ) => new OldChecksTask(checks, [catchAlls, accepted]),
    },
  ],
  exports: [OldChecksTask],
})
export class CacheMaintenanceModule {}
