import { Module } from '@nestjs/common';
import { CuratedListsProvider } from './curated-lists-provider.js';
import { CuratedListsReadiness } from './curated-lists-readiness.js';
import { CuratedTablesRepository } from './curated-tables.repository.js';

/** The operator's lists. A process is not ready until it has read them. Needs `DatabaseModule` and `HealthModule`. */
@Module({
  providers: [CuratedTablesRepository, CuratedListsProvider, CuratedListsReadiness],
  exports: [CuratedListsProvider],
})
export class CuratedModule {}
