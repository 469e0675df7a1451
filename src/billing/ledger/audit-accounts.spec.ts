import { auditAccounts } from './audit-accounts.js';
import type { AuditStart, LedgerAuditRepository } from './ledger-audit.repository.js';

/** Returns accounts as the database does: those after an id, in order, up to the limit. */
function ledgerOf(accounts: readonly string[]) {
  const asked: { after: string | null; start: AuditStart }[] = [];
  const ledger: Pick<LedgerAuditRepository, 'page'> = {
    page: async (which, start) => {
      if (!('after' in which)) throw new Error('one account was not asked for');
      const { after, limit } = which;
      asked.push({ after, start });
      return {
        accounts: accounts.filter((id) => after === null || id > after).slice(0, limit),
        mismatches: [],
        points: [],
      };
    },
  };
  return { asked, ledger };
}

const ids = (count: number): string[] => Array.from({ length: count }, (_, i) => `a${String(i).padStart(4, '0')}`);

describe('auditing all accounts', () => {
  it.each([0, 1, 199, 200, 201, 400, 450])('audits each of %d accounts once, in order', async (count) => {
    const { ledger } = ledgerOf(ids(count));
    const seen: string[] = [];
    expect(await auditAccounts(ledger, { start: 'last closing' }, (page) => void seen.push(...page.accounts))).toBe(
      true,
    );
    expect(seen).toEqual(ids(count));
  });

  it('continues after the last account of the previous page', async () => {
    const { ledger, asked } = ledgerOf(ids(450));
    await auditAccounts(ledger, { start: 'first row' }, () => undefined);
    expect(asked).toEqual([
      { after: null, start: 'first row' },
      { after: 'a0199', start: 'first row' },
      { after: 'a0399', start: 'first row' },
    ]);
  });

  it('reads no further page after a stop', async () => {
    const { ledger, asked } = ledgerOf(ids(450));
    const stop = new AbortController();
    expect(await auditAccounts(ledger, { start: 'last closing', signal: stop.signal }, () => stop.abort())).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it('is complete if it is stopped at the last page', async () => {
    const { ledger } = ledgerOf(ids(20));
    const stop = new AbortController();
    expect(await auditAccounts(ledger, { start: 'last closing', signal: stop.signal }, () => stop.abort())).toBe(true);
  });
});
