import type { AuditPage, LedgerAuditRepository } from './ledger-audit.repository.js';

/** Accounts compared in one look at the database. */
const PAGE = 200;

/**
 * Audits every account, page after page, and tells of each page before the next one is read.
 * @param full adds up every row, not only those after the last monthly closing
 * @returns false when it was stopped before all accounts had been looked at
 */
export async function auditAccounts(
  ledger: Pick<LedgerAuditRepository, 'page'>,
  { full, signal }: { readonly full: boolean; readonly signal?: AbortSignal },
  onPage: (page: AuditPage) => void,
): Promise<boolean> {
  let after: string | null = null;
  for (;;) {
    if (signal?.aborted === true) return false;
    const page: AuditPage = await ledger.page({ after, limit: PAGE }, full);
    onPage(page);
    if (page.accounts.length < PAGE) return true;
    after = page.accounts.at(-1)!;
  }
}
