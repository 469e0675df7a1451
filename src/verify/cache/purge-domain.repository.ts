import type { DataSource } from 'typeorm';
import { AcceptedRecipientsRepository } from '../../domains/accepted/accepted-recipients.repository.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { appendAudit } from '../../platform/audit/audit-log.repository.js';
import { CheckCacheRepository } from './check-cache.repository.js';

/**
 * Forgets what is on record of a domain, as an operator told us. The act is in the audit log before the first check is
 * gone: there may be too many for one transaction.
 * @returns how many checks were forgotten
 */
export async function purgeDomain(dataSource: DataSource, domain: string, actor: string): Promise<number> {
  await dataSource.transaction(async (transaction) => {
    await appendAudit(transaction, { actor, action: 'cache.purge', accountId: null, subject: domain });
    await new CatchAllRepository(dataSource).purge(domain, transaction);
    await new AcceptedRecipientsRepository(dataSource).purge(domain, transaction);
  });
  return new CheckCacheRepository(dataSource).purgeDomain(domain);
}
