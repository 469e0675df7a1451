import { Module } from '@nestjs/common';
import { BillingModule } from '../../billing/billing.module.js';
import { JobsModule } from '../../jobs/jobs.module.js';
import { ListResultsService } from './list-results.service.js';
import { ListWatch } from './list-watch.js';
import { ListsController } from './lists.controller.js';
import { ListsRepository } from './lists.repository.js';
import { ListsService } from './lists.service.js';

/** Lists of addresses that members upload. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [BillingModule, JobsModule],
  controllers: [ListsController],
  providers: [ListResultsService, ListWatch, ListsRepository, ListsService],
})
export class ListsModule {}
