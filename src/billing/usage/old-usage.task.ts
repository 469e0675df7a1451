import { Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { UsageCountsRepository } from './usage-counts.repository.js';

/** Long enough to compare a month with the same month of the year before. */
const USAGE_KEPT_MONTHS = 13;
/** Rows per statement. A statement holds its locks for some milliseconds. */
const ROWS = 1000;

/** Deletes counts of verdicts older than `USAGE_KEPT_MONTHS`. */
@Injectable()
export class OldUsageTask extends MaintenanceTask {
  readonly name = 'delete-old-usage-counts';
  readonly everyMs = 60 * 60_000;

  constructor(private readonly counts: UsageCountsRepository) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await this.counts.deleteOlderThan(USAGE_KEPT_MONTHS, ROWS)) < ROWS) return;
    }
  }
}
