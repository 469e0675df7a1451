import { Module } from '@nestjs/common';
import { DomainInterestModule } from '../../domains/domain-interest.module.js';
import { DomainInterest } from '../../domains/store/domain-interest.js';
import { DomainRecords } from '../../domains/store/domain-records.js';
import { DomainsRepository } from '../../domains/store/domains.repository.js';
import { EngineProvider } from '../engine/engine-provider.js';
import { EngineModule } from '../engine/engine.module.js';

/** Provides domain records for shaping results. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [DomainInterestModule, EngineModule],
  providers: [
    {
      // `src/domains` may not import `EngineProvider`, which has the knowledge.
      provide: DomainRecords,
      inject: [DomainsRepository, DomainInterest, EngineProvider],
      useFactory: (rows: DomainsRepository, interest: DomainInterest, { knowledge }: EngineProvider) =>
        new DomainRecords({ rows, interest, knowledge }),
    },
  ],
  exports: [DomainRecords],
})
export class DomainRecordsModule {}
