import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { CrawlCountsRepository } from './crawl-counts.repository.js';
import type { CrawlUpkeepRepository } from './crawl-upkeep.repository.js';

const AT_ONCE = 500;
/** In one go; there is a next time. */
const MAX_BATCHES = 2000;

/** Forgets domains that nobody has asked for in 90 days, and what accounts had crawled on days before. */
export class UnaskedDomainsTask extends MaintenanceTask {
  readonly name = 'delete-unasked-domains';
  readonly everyMs = 60 * 60_000;

  constructor(
    private readonly upkeep: Pick<CrawlUpkeepRepository, 'deleteUnasked'>,
    private readonly counts: Pick<CrawlCountsRepository, 'forgetPast'>,
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    await this.counts.forgetPast();
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch++) {
      if ((await this.upkeep.deleteUnasked(AT_ONCE)) < AT_ONCE) return;
    }
  }
}
