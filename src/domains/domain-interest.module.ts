import { Logger, Module } from '@nestjs/common';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { DomainCrawlProducer } from './crawl/domain-crawl.queue.js';
import { DomainsModule } from './domains.module.js';
import { CrawlCountsRepository } from './store/crawl-counts.repository.js';
import { DomainInterest } from './store/domain-interest.js';
import { DomainsRepository } from './store/domains.repository.js';

const logger = new Logger('Domains');

/** Has domains crawled that are asked for. Serves no queue. Needs `DatabaseModule`. */
@Module({
  imports: [DomainsModule, QueuesModule],
  providers: [
    DomainCrawlProducer,
    {
      provide: DomainInterest,
      inject: [DomainsRepository, CrawlCountsRepository, DomainCrawlProducer],
      useFactory: (rows: DomainsRepository, counts: CrawlCountsRepository, queue: DomainCrawlProducer) =>
        new DomainInterest({
          rows,
          counts,
          queue,
          onTrouble: (error) => logger.warn({ err: error }, 'domains that are asked for could not be noted'),
        }),
    },
  ],
  exports: [DomainsModule, DomainCrawlProducer, DomainInterest],
})
export class DomainInterestModule {}
