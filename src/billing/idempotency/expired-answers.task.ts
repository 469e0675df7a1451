import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { IdempotencyRepository } from './idempotency.repository.js';

/** Deletes expired answers, and records of calls whose process was killed. */
@Injectable()
export class ExpiredAnswersTask extends PurgeTask {
  readonly name = 'delete-expired-answers';
  readonly everyMs = 5 * 60_000;
  protected override readonly purges = [(limit: number) => this.records.deleteExpired(limit)];

  constructor(private readonly records: IdempotencyRepository) {
    super();
  }
}
