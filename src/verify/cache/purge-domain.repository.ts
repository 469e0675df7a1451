import type { DataSource } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { AcceptedRecipientsRepository } from '../../domains/accepted/accepted-recipients.repository.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import { CheckCacheRepository } from './check-cache.repository.js';

/**
 * Deletes all cached data of a domain for an operator. The audit log entry is written before the first delete, since
 * there may be too many checks for one transaction.
 * @returns how many checks were deleted
 */
export async function purgeDomain(dataSource: DataSource, domain: string, actor: Actor): Promise<number> {
  await retriedSnapshot(dataSource, async (transaction) => {
    await appendAudit(transaction, { actor, action: 'cache.purge', accountId: null, subject: domain });
    await new CatchAllRepository(dataSource).purgeWithin(transaction, domain);
    await new AcceptedRecipientsRepository(dataSource).purgeWithin(transaction, domain);
  });
  return new CheckCacheRepository(dataSource).purgeDomain(domain);
}
