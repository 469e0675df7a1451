import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CuratedEntryEntity } from './curated-entry.entity.js';
import { CuratedListsProvider } from './curated-lists-provider.js';
import { CuratedListsReadiness } from './curated-lists-readiness.js';
import { CuratedTablesRepository } from './curated-tables.repository.js';
import { CuratedVersionEntity } from './curated-version.entity.js';

/** The operator's lists. A process is not ready until it has read them. Needs `DatabaseModule` and `HealthModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([CuratedEntryEntity, CuratedVersionEntity])],
  providers: [CuratedTablesRepository, CuratedListsProvider, CuratedListsReadiness],
  exports: [CuratedListsProvider],
})
export class CuratedModule {}
