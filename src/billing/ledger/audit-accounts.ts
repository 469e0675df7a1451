import type { AuditPage, AuditStart, LedgerAuditRepository } from './ledger-audit.repository.js';

/** Accounts compared per page. */
const PAGE = 200;

/**
 * Audits all accounts page by page; reports each page before reading the next.
 * @returns false if stopped before the end
 */
export async function auditAccounts(
  ledger: Pick<LedgerAuditRepository, 'page'>,
  { start, signal }: { readonly start: AuditStart; readonly signal?: AbortSignal },
  onPage: (page: AuditPage) => void | Promise<void>,
): Promise<boolean> {
  let after: string | null = null;
  for (;;) {
    if (signal?.aborted === true) return false;
    const page: AuditPage = await ledger.page({ after, limit: PAGE }, start);
    await onPage(page);
    if (page.accounts.length < PAGE) return true;
    after = page.accounts.at(-1)!;
  }
}
