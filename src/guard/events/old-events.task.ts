import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { GuardEventsRepository } from './guard-events.repository.js';

/** Long enough to compare a month with the same month of the previous year. */
export const EVENTS_KEPT_DAYS = 400;

/** Deletes guard events older than `EVENTS_KEPT_DAYS`. */
@Injectable()
export class OldEventsTask extends PurgeTask {
  readonly name = 'delete-old-guard-events';
  readonly everyMs = 10 * 60_000;
  protected override readonly purges = [(limit: number) => this.events.deleteOlderThan(EVENTS_KEPT_DAYS, limit)];

  constructor(private readonly events: GuardEventsRepository) {
    super();
  }
}
