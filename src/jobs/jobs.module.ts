import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { JobQueueModule } from './job-queue.module.js';
import { JobStoreModule } from './job-store.module.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { ResultPages } from './result-pages.js';
import { ResultStreamMetrics } from './result-stream-metrics.js';
import { ResultStreams } from './result-streams.js';

/** `/v1/verify/jobs`. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [AuthModule, BillingModule, DomainsModule, JobQueueModule, JobStoreModule],
  controllers: [JobsController],
  providers: [JobsService, ResultPages, ResultStreams, ResultStreamMetrics],
})
export class JobsModule {}
