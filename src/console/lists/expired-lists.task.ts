import { Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { ListsRepository } from './lists.repository.js';

const LISTS = 100;

/** Deletes expired lists. Their jobs expire by themselves. */
@Injectable()
export class ExpiredListsTask extends MaintenanceTask {
  readonly name = 'delete-expired-lists';
  readonly everyMs = 10 * 60_000;

  constructor(private readonly lists: ListsRepository) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if ((await this.lists.deleteExpired(LISTS)) < LISTS) return;
    }
  }
}
