import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { CrawlCountsRepository } from './crawl-counts.repository.js';
import { CrawlUpkeepRepository } from './crawl-upkeep.repository.js';

/** Deletes domains that nobody has requested for 90 days, and the crawl counts of past days. */
@Injectable()
export class UnaskedDomainsTask extends PurgeTask {
  readonly name = 'delete-unasked-domains';
  readonly everyMs = 60 * 60_000;
  protected override readonly purges = [
    (limit: number) => this.counts.deletePast(limit),
    (limit: number) => this.upkeep.deleteUnasked(limit),
  ];

  constructor(
    private readonly upkeep: CrawlUpkeepRepository,
    private readonly counts: CrawlCountsRepository,
  ) {
    super();
  }
}
