import { Module } from '@nestjs/common';
import { AcceptedRecipientsRepository } from './accepted/accepted-recipients.repository.js';
import { StoredAcceptedRecipients } from './accepted/stored-accepted-recipients.js';
import { CatchAllRepository } from './catch-all/catch-all.repository.js';
import { CrawlCountsRepository } from './store/crawl-counts.repository.js';
import { CrawlRequestsRepository } from './store/crawl-requests.repository.js';
import { CrawlUpkeepRepository } from './store/crawl-upkeep.repository.js';
import { DomainsRepository } from './store/domains.repository.js';

const PROVIDERS = [
  AcceptedRecipientsRepository,
  StoredAcceptedRecipients,
  CatchAllRepository,
  DomainsRepository,
  CrawlCountsRepository,
  CrawlRequestsRepository,
  CrawlUpkeepRepository,
];

/** Stored knowledge about domains. Needs `DatabaseModule`. */
@Module({
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class DomainsModule {}
