import { Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { GuardEventsRepository } from './guard-events.repository.js';

/** Long enough to compare a month with the same month of the previous year. */
export const EVENTS_KEPT_DAYS = 400;
/** Rows per statement, whose locks then last some milliseconds. */
const ROWS = 1000;
/** Time limit, because other tasks of the queue wait. */
const MAX_RUN_MS = 10_000;

/** Deletes guard events older than `EVENTS_KEPT_DAYS`. */
@Injectable()
export class OldEventsTask extends MaintenanceTask {
  readonly name = 'delete-old-guard-events';
  readonly everyMs = 10 * 60_000;

  constructor(private readonly events: GuardEventsRepository) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    while (!signal.aborted && performance.now() < until) {
      if ((await this.events.deleteOlderThan(EVENTS_KEPT_DAYS, ROWS)) < ROWS) return;
    }
  }
}
