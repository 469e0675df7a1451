import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { CrawlUpkeepRepository } from './crawl-upkeep.repository.js';

const AT_ONCE = 500;
/** In one go; there is a next time. */
const MAX_BATCHES = 2000;

/** Forgets domains that nobody has asked for in 90 days. */
export class UnaskedDomainsTask extends MaintenanceTask {
  readonly name = 'delete-unasked-domains';
  readonly everyMs = 60 * 60_000;

  constructor(private readonly upkeep: Pick<CrawlUpkeepRepository, 'deleteUnasked'>) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
      if ((await this.upkeep.deleteUnasked(AT_ONCE)) < AT_ONCE) return;
    }
  }
}
