import { Module } from '@nestjs/common';
import { UsageCounter } from './usage-counter.js';
import { UsageCountsRepository } from './usage-counts.repository.js';

/** Counts the verdicts that accounts were given, in processes of any role. Needs `DatabaseModule`. */
@Module({
  providers: [UsageCounter, UsageCountsRepository],
  exports: [UsageCounter, UsageCountsRepository],
})
export class UsageModule {}
