import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { ListsRepository } from './lists.repository.js';

/** Deletes expired lists. Their jobs expire by themselves. */
@Injectable()
export class ExpiredListsTask extends PurgeTask {
  readonly name = 'delete-expired-lists';
  readonly everyMs = 10 * 60_000;
  protected override readonly purges = [(limit: number) => this.lists.deleteExpired(limit)];

  constructor(private readonly lists: ListsRepository) {
    super();
  }
}
