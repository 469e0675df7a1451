import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { CheckCacheRepository } from './check-cache.repository.js';

const ROWS = 500;
/** In one go; there is a next time. */
const MAX_BATCHES = 2000;

/** What is known of domains for a while. */
interface Expiring {
  deleteExpired(limit: number): Promise<number>;
}

/** Deletes checks that expired 90 days ago (decisions 6.7), and what was known of domains and holds no more. */
export class OldChecksTask extends MaintenanceTask {
  readonly name = 'delete-old-checks';
  readonly everyMs = 60 * 60_000;

  constructor(
    private readonly checks: Pick<CheckCacheRepository, 'deleteOld'>,
    private readonly expiring: readonly Expiring[],
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await repeat(() => this.checks.deleteOld(), signal);
    for (const known of this.expiring) {
      await repeat(async () => (await known.deleteExpired(ROWS)) === ROWS, signal);
    }
  }
}

/** @param batch returns whether there may be more */
async function repeat(batch: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let done = 0; done < MAX_BATCHES && !signal.aborted; done++) if (!(await batch())) return;
}
