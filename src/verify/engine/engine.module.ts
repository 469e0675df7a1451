import { Module } from '@nestjs/common';
import { CuratedModule } from '../../domains/curated/curated.module.js';
import { DomainsModule } from '../../domains/domains.module.js';
import { SignalListsModule } from '../../domains/lists/signal-lists.module.js';
import { PolitenessModule } from '../../platform/politeness/politeness.module.js';
import { EngineProvider } from './engine-provider.js';

/** The engine of a process that checks addresses: the API or the worker. Needs `RedisModule` and `HealthModule`. */
@Module({
  imports: [CuratedModule, DomainsModule, SignalListsModule, PolitenessModule],
  providers: [EngineProvider],
  exports: [EngineProvider],
})
export class EngineModule {}
