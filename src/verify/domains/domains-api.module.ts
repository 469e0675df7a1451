import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { DomainRecordsModule } from '../lookup/domain-records.module.js';
import { DomainInterestModule } from '../../domains/domain-interest.module.js';
import { DomainLookupService } from './domain-lookup.service.js';
import { DomainsController } from './domains.controller.js';

/** `POST /v1/domains/lookup`. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [AuthModule, DomainInterestModule, DomainRecordsModule, EngineModule],
  controllers: [DomainsController],
  providers: [DomainLookupService],
})
export class DomainsApiModule {}
