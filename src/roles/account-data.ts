import type { AccountData } from '../auth/deletion/account-data.repository.js';
import { AccountRecordsRepository } from '../billing/account-records.repository.js';
import { AccountLedgerRepository } from '../billing/ledger/account-ledger.repository.js';
import { AuditPointsRepository } from '../billing/ledger/audit-points.repository.js';
import { LedgerClosingRepository } from '../billing/ledger/ledger-closing.repository.js';
import { LedgerChunksRepository } from '../billing/statement/ledger-chunks.repository.js';
import { UsageCountsRepository } from '../billing/usage/usage-counts.repository.js';
import { ListsRepository } from '../console/lists/lists.repository.js';
import { AccountPeopleRepository } from '../console/people/account-people.repository.js';
import { CrawlCountsRepository } from '../domains/store/crawl-counts.repository.js';
import { AccountGuardsRepository } from '../guard/account-guards.repository.js';
import { AccountJobsRepository } from '../jobs/account-jobs.repository.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { AccountProbesRepository } from '../verify/probes/account-probes.repository.js';
import { AccountWebhooksRepository } from '../webhooks/account-webhooks.repository.js';
import { AccountDailyCounts } from './account-daily-counts.js';

/** Every feature's data of an account, in order of deletion: running work first. */
export async function accountData(context: CommandContext): Promise<readonly AccountData[]> {
  const database = await context.database();
  return [
    new ListsRepository(database),
    new AccountJobsRepository(database),
    new AccountProbesRepository(database),
    // Lock order: the balance comes first in the deletion's transaction.
    new AccountLedgerRepository(database, new LedgerClosingRepository(database)),
    new AccountGuardsRepository(database),
    new AccountRecordsRepository(database),
    new AuditPointsRepository(database),
    new LedgerChunksRepository(database),
    new UsageCountsRepository(database),
    new CrawlCountsRepository(database),
    new AccountPeopleRepository(database),
    new AccountWebhooksRepository(database),
    new AccountDailyCounts(context),
  ];
}
