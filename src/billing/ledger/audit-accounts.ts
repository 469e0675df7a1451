import type { AuditPage, LedgerAuditRepository } from './ledger-audit.repository.js';

/** Accounts compared per page. */
const PAGE = 200;

/**
 * Audits all accounts page by page; reports each page before reading the next.
 * @param full sums every row, not only those after the last monthly closing
 * @returns false if stopped before the end
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
