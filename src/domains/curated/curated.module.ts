import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Readiness } from '../../platform/health/readiness.js';
import { CuratedEntryEntity } from './curated-entry.entity.js';
import { CuratedListsHost } from './curated-lists-host.js';
import { CuratedTablesRepository } from './curated-tables.repository.js';
import { CuratedVersionEntity } from './curated-version.entity.js';

/** The operator's lists for processes that serve, which are not ready without them. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([CuratedEntryEntity, CuratedVersionEntity])],
  providers: [
    {
      provide: CuratedListsHost,
      inject: [DataSource, Readiness],
      useFactory: (dataSource: DataSource, readiness: Readiness) => {
        const host = new CuratedListsHost(new CuratedTablesRepository(dataSource));
        readiness.require('the curated lists have not been read yet', () => host.ready);
        return host;
      },
    },
  ],
  exports: [CuratedListsHost],
})
export class CuratedModule {}
