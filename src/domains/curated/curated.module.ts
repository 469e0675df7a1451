import { Module } from '@nestjs/common';
import { Readiness } from '../../platform/health/readiness.js';
import { CuratedListsProvider } from './curated-lists-provider.js';
import { CuratedTablesRepository } from './curated-tables.repository.js';

/** The operator's lists. A process is not ready until it has read them. Needs `DatabaseModule` and `HealthModule`. */
@Module({ providers: [CuratedTablesRepository, CuratedListsProvider], exports: [CuratedListsProvider] })
export class CuratedModule {
  constructor(lists: CuratedListsProvider, readiness: Readiness) {
    readiness.require('the curated lists have not been read yet', () => lists.ready);
  }
}
