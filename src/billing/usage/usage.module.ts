import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsageCountEntity } from './usage-count.entity.js';
import { UsageCounter } from './usage-counter.js';
import { UsageCountsRepository } from './usage-counts.repository.js';

/** Counts the verdicts that accounts were given, in processes of any role. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([UsageCountEntity])],
  providers: [UsageCounter, UsageCountsRepository],
  exports: [UsageCounter, UsageCountsRepository],
})
export class UsageModule {}
