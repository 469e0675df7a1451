import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { ExpiredAccessRepository } from './expired-access.repository.js';

/** Deletes sessions and one-time links that are over. */
@Injectable()
export class ExpiredAccessTask extends PurgeTask {
  readonly name = 'delete-expired-sessions';
  readonly everyMs = 10 * 60_000;
  protected override readonly purges = [
    (limit: number) => this.access.deleteSessions(limit),
    (limit: number) => this.access.deleteLinks(limit),
  ];

  constructor(private readonly access: ExpiredAccessRepository) {
    super();
  }
}
