import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { CatchAllRepository } from './catch-all/catch-all.repository.js';
import { CrawlUpkeepRepository } from './store/crawl-upkeep.repository.js';
import { DomainEntity } from './store/domain.entity.js';
import { DomainsRepository } from './store/domains.repository.js';

/** What is known of domains. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([DomainEntity])],
  providers: [
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
      provide: CrawlUpkeepRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new CrawlUpkeepRepository(dataSource),
    },
  ],
  exports: [CatchAllRepository, DomainsRepository, CrawlUpkeepRepository],
})
export class DomainsModule {}
