import { Module } from '@nestjs/common';
import { DomainsModule } from '../domains/domains.module.js';
import { JobStoreModule } from './job-store.module.js';
import { OutboxModule } from '../webhooks/outbox/outbox.module.js';
import { JobEventsRepository } from './job-events.repository.js';
import { JobsService } from './jobs.service.js';
import { ResultPages } from './result-pages.js';
import { ResultStreamMetrics } from './result-stream-metrics.js';
import { ResultStreams } from './result-streams.js';

/** Submits and reads jobs, for any process. Needs `DatabaseModule` and `RedisModule`. */
@Module({
  imports: [DomainsModule, JobStoreModule, OutboxModule],
  providers: [JobEventsRepository, JobsService, ResultPages, ResultStreams, ResultStreamMetrics],
  exports: [JobStoreModule, JobsService, ResultPages, ResultStreams],
})
export class JobsModule {}
