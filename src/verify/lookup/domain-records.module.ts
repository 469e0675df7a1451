import { Module } from '@nestjs/common';
import { DomainInterestModule } from '../../domains/domain-interest.module.js';
import { EngineModule } from '../engine/engine.module.js';
import { DomainRecords } from './domain-records.js';

/** Provides domain records for shaping results. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({ imports: [DomainInterestModule, EngineModule], providers: [DomainRecords], exports: [DomainRecords] })
export class DomainRecordsModule {}
