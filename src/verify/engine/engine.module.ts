import { Module } from '@nestjs/common';
import { CuratedModule } from '../../domains/curated/curated.module.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { SignalListsModule } from '../../domains/lists/signal-lists.module.js';
import { PolitenessModule } from '../../platform/politeness/politeness.module.js';
import { EngineProvider } from './engine-provider.js';

/** The one engine of a process that checks addresses: the API's and the worker's. Needs `RedisModule` and `HealthModule`. */
@Module({
  imports: [CuratedModule, DomainsModule, SignalListsModule, PolitenessModule],
  providers: [EngineProvider],
  exports: [EngineProvider],
})
export class EngineModule {}
