import { Injectable } from '@nestjs/common';
import { AcceptedRecipientsRepository } from '../../domains/accepted/accepted-recipients.repository.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { CheckCacheRepository } from './check-cache.repository.js';

const ROWS = 500;
/** Batches per run; the next run continues. */
const MAX_BATCHES = 2000;

/** Deletes checks that expired 90 days ago (decisions 6.7), and domain findings that no longer hold. */
@Injectable()
export class OldChecksTask extends MaintenanceTask {
  readonly name = 'delete-old-checks';
  readonly everyMs = 60 * 60_000;

  constructor(
    private readonly checks: CheckCacheRepository,
    private readonly catchAlls: CatchAllRepository,
    private readonly accepted: AcceptedRecipientsRepository,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await repeat(() => this.checks.deleteOld(), signal);
    for (const known of [this.catchAlls, this.accepted]) {
      await repeat(async () => (await known.deleteExpired(ROWS)) === ROWS, signal);
    }
  }
}

/** @param batch returns whether there may be more */
async function repeat(batch: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let done = 0; done < MAX_BATCHES && !signal.aborted; done++) if (!(await batch())) return;
}
