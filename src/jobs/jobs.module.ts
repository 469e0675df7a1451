import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { JobQueueModule } from './job-queue.module.js';
import { JobStoreModule } from './job-store.module.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { ResultPages } from './result-pages.js';
import { showResultStreams } from './result-stream-metrics.js';
import { ResultStreams } from './result-streams.js';

/** `/v1/verify/jobs`. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [AuthModule, BillingModule, DomainsModule, JobQueueModule, JobStoreModule],
  controllers: [JobsController],
  providers: [
    {
      provide: ResultStreams,
      inject: [{ token: Metrics, optional: true }],
      useFactory: (metrics?: Metrics) => {
        const streams = new ResultStreams();
        if (metrics !== undefined) showResultStreams(metrics.registry, streams);
        return streams;
      },
    },
    JobsService,
    ResultPages,
  ],
})
export class JobsModule {}
