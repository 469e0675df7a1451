import type { AccountData } from '../auth/deletion/account-data.repository.js';
import type { CommandContext } from '../platform/cli/command-context.js';

/** Every feature's data of an account, in order of deletion: running work first. */
export async function accountData(context: CommandContext): Promise<readonly AccountData[]> {
  const [
    lists,
    jobs,
    probes,
    guards,
    records,
    ledger,
    closings,
    points,
    chunks,
    usage,
    crawls,
    people,
    webhooks,
    counts,
  ] = await Promise.all([
    import('../console/lists/lists.repository.js'),
    import('../jobs/account-jobs.repository.js'),
    import('../verify/probes/account-probes.repository.js'),
    import('../guard/account-guards.repository.js'),
    import('../billing/account-records.repository.js'),
    import('../billing/ledger/account-ledger.repository.js'),
    import('../billing/ledger/ledger-closing.repository.js'),
    import('../billing/ledger/audit-points.repository.js'),
    import('../billing/statement/ledger-chunks.repository.js'),
    import('../billing/usage/usage-counts.repository.js'),
    import('../domains/store/crawl-counts.repository.js'),
    import('../console/people/account-people.repository.js'),
    import('../webhooks/account-webhooks.repository.js'),
    import('./account-daily-counts.js'),
  ]);
  const database = await context.database();
  return [
    new lists.ListsRepository(database),
    new jobs.AccountJobsRepository(database),
    new probes.AccountProbesRepository(database),
    // Lock order: the balance comes first in the deletion's transaction.
    new ledger.AccountLedgerRepository(database, new closings.LedgerClosingRepository(database)),
    new guards.AccountGuardsRepository(database),
    new records.AccountRecordsRepository(database),
    new points.AuditPointsRepository(database),
    new chunks.LedgerChunksRepository(database),
    new usage.UsageCountsRepository(database),
    new crawls.CrawlCountsRepository(database),
    new people.AccountPeopleRepository(database),
    new webhooks.AccountWebhooksRepository(database),
    new counts.AccountDailyCounts(context),
  ];
}
