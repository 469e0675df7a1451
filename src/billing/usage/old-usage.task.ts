import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { UsageCountsRepository } from './usage-counts.repository.js';

/** Long enough to compare a month with the same month of the year before. */
const USAGE_KEPT_MONTHS = 13;

/** Deletes counts of verdicts older than `USAGE_KEPT_MONTHS`. */
@Injectable()
export class OldUsageTask extends PurgeTask {
  readonly name = 'delete-old-usage-counts';
  readonly everyMs = 60 * 60_000;
  protected override readonly purges = [(limit: number) => this.counts.deleteOlderThan(USAGE_KEPT_MONTHS, limit)];

  constructor(private readonly counts: UsageCountsRepository) {
    super();
  }
}
