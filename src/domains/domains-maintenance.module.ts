import { Module } from '@nestjs/common';
import { DomainsModule } from './domains.module.js';
import { CrawlUpkeepRepository } from './store/crawl-upkeep.repository.js';
import { UnaskedDomainsTask } from './store/unasked-domains.task.js';

/** What domains have done in the background, for the worker. Needs `DatabaseModule`. */
@Module({
  imports: [DomainsModule],
  providers: [
    {
      provide: UnaskedDomainsTask,
      inject: [CrawlUpkeepRepository],
      useFactory: (upkeep: CrawlUpkeepRepository) => new UnaskedDomainsTask(upkeep),
    },
  ],
  exports: [UnaskedDomainsTask],
})
export class DomainsMaintenanceModule {}
