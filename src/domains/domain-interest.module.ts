import { Module } from '@nestjs/common';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { DomainCrawlProducer } from './crawl/domain-crawl.queue.js';
import { DomainsModule } from './domains.module.js';
import { DomainInterest } from './store/domain-interest.js';

/** Queues crawls of domains that calls ask for. Processes no queue. Needs `DatabaseModule`. */
@Module({
  imports: [DomainsModule, QueuesModule],
  providers: [DomainCrawlProducer, DomainInterest],
  exports: [DomainsModule, DomainCrawlProducer, DomainInterest],
})
export class DomainInterestModule {}
