import { Module } from '@nestjs/common';
import { DomainsModule } from '../../domains/domains.module.js';
import { CacheModule } from './cache.module.js';
import { OldChecksTask } from './old-checks.task.js';

/** Background maintenance of the cache, for the worker. Needs `DatabaseModule`. */
@Module({
  imports: [CacheModule, DomainsModule],
  providers: [OldChecksTask],
  exports: [OldChecksTask],
})
export class CacheMaintenanceModule {}
