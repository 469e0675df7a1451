import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { GuardEventsRepository } from './guard-events.repository.js';

/** So that a month can be held against the same one of the year before. */
export const EVENTS_KEPT_DAYS = 400;
/** Rows of one statement: it holds its locks for some milliseconds. */
const ROWS = 1000;
/** Other tasks of the queue wait meanwhile. */
const MAX_RUN_MS = 10_000;

/** Deletes guard events that were kept long enough. */
export class OldEventsTask extends MaintenanceTask {
  readonly name = 'delete-old-guard-events';
  readonly everyMs = 10 * 60_000;

  constructor(private readonly events: Pick<GuardEventsRepository, 'deleteOlderThan'>) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    while (!signal.aborted && performance.now() < until) {
      if ((await this.events.deleteOlderThan(EVENTS_KEPT_DAYS, ROWS)) < ROWS) return;
    }
  }
}
