import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AcceptedRecipientsRepository } from './accepted/accepted-recipients.repository.js';
import { StoredAcceptedRecipients } from './accepted/stored-accepted-recipients.js';
import { CatchAllRepository } from './catch-all/catch-all.repository.js';
import { CrawlCountEntity } from './store/crawl-count.entity.js';
import { CrawlCountsRepository } from './store/crawl-counts.repository.js';
import { CrawlUpkeepRepository } from './store/crawl-upkeep.repository.js';
import { DomainEntity } from './store/domain.entity.js';
import { DomainsRepository } from './store/domains.repository.js';

/** What is known of domains. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([DomainEntity, CrawlCountEntity])],
  providers: [
    StoredAcceptedRecipients,
    {
      provide: AcceptedRecipientsRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new AcceptedRecipientsRepository(dataSource),
    },
    {
      provide: CatchAllRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new CatchAllRepository(dataSource),
    },
    {
      provide: DomainsRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new DomainsRepository(dataSource),
    },
    {
      provide: CrawlCountsRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new CrawlCountsRepository(dataSource),
    },
    {
      provide: CrawlUpkeepRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new CrawlUpkeepRepository(dataSource),
    },
  ],
  exports: [
    AcceptedRecipientsRepository,
    StoredAcceptedRecipients,
    CatchAllRepository,
    DomainsRepository,
    CrawlCountsRepository,
    CrawlUpkeepRepository,
  ],
})
export class DomainsModule {}
