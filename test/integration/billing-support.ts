import type { DataSource } from 'typeorm';
import { AccountRepository } from '../../src/auth/account.repository.js';
import type { Charge, ChargeOutcome } from '../../src/billing/charging/charge.js';
import { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { openChargeBatcher } from '../../src/billing/charging/open-charge-batcher.js';
import type { CreditKind } from '../../src/billing/credit-kind.js';
import { LedgerAuditRepository, type Mismatch } from '../../src/billing/ledger/ledger-audit.repository.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import type { DatabaseTarget } from '../../src/platform/config/database-url.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';

/** SQL for the moment it is by a clock that a test sets: the same for everybody on the database. */
export const TEST_CLOCK = '(SELECT at FROM test_clock)';

export async function setTestClock(dataSource: DataSource, at: string): Promise<void> {
  await dataSource.query('CREATE TABLE IF NOT EXISTS test_clock (id int PRIMARY KEY, at datetime(3) NOT NULL)');
  await dataSource.query('REPLACE INTO test_clock (id, at) VALUES (1, ?)', [at]);
}

/** A batcher on connections of its own, as a process has one. */
export function openTestBatcher(
  target: DatabaseTarget,
  options: { readonly now?: string; readonly maxWaitMs?: number } = {},
): { batcher: ChargeBatcher; troubles: string[]; close(): Promise<void> } {
  const troubles: string[] = [];
  const batcher = openChargeBatcher(target, { answerHours: 24, onTrouble: (what) => troubles.push(what), ...options });
  return { batcher, troubles, close: () => batcher.close() };
}

export async function makeAccount(
  dataSource: DataSource,
  credits: Partial<Record<CreditKind, number>> = {},
  now?: string,
): Promise<string> {
  const id = newId();
  await new AccountRepository(dataSource).insert({ id, name: 'Acme', plan: 'free' }, 'test');
  const ledger = new LedgerRepository(dataSource, now);
  for (const [kind, count] of Object.entries(credits)) {
    const grant = { accountId: id, credits: count, kind: kind as CreditKind, reference: `grant:${newId()}` };
    await ledger.grant(grant, 'test');
  }
  return id;
}

export function chargeOf(accountId: string, overrides: Partial<Charge> = {}): Charge {
  return {
    accountId,
    keyId: accountId,
    reference: `single:${newId()}`,
    price: { addresses: 1, credits: 1, unitPrice: 1 },
    freeVerifiesPerMonth: 0,
    answer: null,
    ...overrides,
  };
}

export async function mismatches(dataSource: DataSource, account: string): Promise<readonly Mismatch[]> {
  return (await new LedgerAuditRepository(dataSource).page({ account }, 'first row')).mismatches;
}

export async function balanceOf(dataSource: DataSource, accountId: string) {
  const [row] = await dataSource.query<Record<string, string | number>[]>(
    'SELECT purchased, gifted, month, free_verifies_used FROM account_balances WHERE account_id = ?',
    [idToBytes(accountId)],
  );
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}

export async function entriesOf(dataSource: DataSource, accountId: string) {
  return dataSource.query<{ kind: string; reference: string; free_verifies: number; month: number }[]>(
    'SELECT kind, reference, free_verifies, month FROM ledger_entries WHERE account_id = ? ORDER BY id',
    [idToBytes(accountId)],
  );
}

/** What waits on a probe, as the references that their refunds would have. */
export async function waitingOn(dataSource: DataSource, probe: string): Promise<string[]> {
  const rows = await dataSource.query<{ reference: string; part: string }[]>(
    'SELECT reference, part FROM waiting_charges WHERE waits_on = ? ORDER BY reference, part',
    [idToBytes(probe)],
  );
  return rows.map(({ reference, part }) => `${reference}:${part}`);
}

export function tally(outcomes: readonly ChargeOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
