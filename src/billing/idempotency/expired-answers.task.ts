import { Inject, Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const BATCH = 500;
/** Batch limit; the rest waits for the next run. */
const MAX_BATCHES = 1000;

/** Deletes expired answers, and records of calls whose process was killed. */
@Injectable()
export class ExpiredAnswersTask extends MaintenanceTask {
  readonly name = 'delete-expired-answers';
  readonly everyMs = 5 * 60_000;

  constructor(@Inject(IdempotencyRepository) private readonly records: Pick<IdempotencyRepository, 'deleteExpired'>) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
      if ((await this.records.deleteExpired(BATCH)) < BATCH) return;
    }
  }
}
