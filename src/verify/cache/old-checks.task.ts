import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { CheckCacheRepository } from './check-cache.repository.js';

const DOMAINS = 500;
/** In one go; there is a next time. */
const MAX_BATCHES = 2000;

/** Deletes checks that expired 90 days ago (decisions 6.7), and domains that are not known as catch-alls any more. */
export class OldChecksTask extends MaintenanceTask {
  readonly name = 'delete-old-checks';
  readonly everyMs = 60 * 60_000;

  constructor(
    private readonly checks: Pick<CheckCacheRepository, 'deleteOld'>,
    private readonly catchAlls: Pick<CatchAllRepository, 'deleteExpired'>,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await repeat(() => this.checks.deleteOld(), signal);
    await repeat(async () => (await this.catchAlls.deleteExpired(DOMAINS)) === DOMAINS, signal);
  }
}

/** @param batch returns whether there may be more */
async function repeat(batch: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let done = 0; done < MAX_BATCHES && !signal.aborted; done++) if (!(await batch())) return;
}
