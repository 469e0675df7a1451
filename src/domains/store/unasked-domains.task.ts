import { Injectable } from '@nestjs/common';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import { CrawlCountsRepository } from './crawl-counts.repository.js';
import { CrawlUpkeepRepository } from './crawl-upkeep.repository.js';

const AT_ONCE = 500;
/** Limit per run. */
const MAX_BATCHES = 2000;

/** Deletes domains that nobody has requested for 90 days, and the crawl counts of past days. */
@Injectable()
export class UnaskedDomainsTask extends MaintenanceTask {
  readonly name = 'delete-unasked-domains';
  readonly everyMs = 60 * 60_000;

  constructor(
    private readonly upkeep: CrawlUpkeepRepository,
    private readonly counts: CrawlCountsRepository,
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
