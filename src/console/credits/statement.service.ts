import { Injectable } from '@nestjs/common';
import { ApiKeyRepository } from '../../auth/api-key.repository.js';
import type { Plan } from '../../auth/caller.js';
import { shownCredits } from '../../billing/funds.js';
import { formatMonth, monthOf, type Month } from '../../billing/month.js';
import { endpointOf } from '../../billing/statement/ledger-endpoint.js';
import { LedgerSumsRepository } from '../../billing/statement/ledger-sums.repository.js';
import { StatementRepository, type StatementEntry } from '../../billing/statement/statement.repository.js';
import type { StatementFilter } from '../../billing/statement/statement-segments.repository.js';
import { readMoment } from './read-moment.js';
import { statementHeader, statementRow } from './statement-csv.js';
import type { StatementFilterRequest, StatementRequest } from './statement.request.js';
import type { Allowance, LedgerEntry, Statement } from './statement.response.js';

const MONTHS = 12;
const CSV_PAGE = 1000;

/** An account's ledger as a statement, and what it used month by month. */
@Injectable()
export class StatementService {
  constructor(
    private readonly statements: StatementRepository,
    private readonly sums: LedgerSumsRepository,
    private readonly keys: ApiKeyRepository,
  ) {}

  async page(accountId: string, { cursor, limit, ...filter }: StatementRequest): Promise<Statement> {
    const [page, keys] = await Promise.all([
      this.statements.page(accountId, toFilter(filter), cursor ?? null, limit),
      this.keys.namesOf(accountId),
    ]);
    return {
      entries: page.entries.map((entry) => toLedgerEntry(entry, keys)),
      next: page.next,
      balance: page.balance,
    };
  }

  /** All rows as CSV, newest first, a thousand rows in memory at a time. */
  async *csv(accountId: string, filter: StatementFilterRequest): AsyncGenerator<string> {
    const keys = await this.keys.namesOf(accountId);
    yield statementHeader();
    let before: string | null = null;
    do {
      const page = await this.statements.page(accountId, toFilter(filter), before, CSV_PAGE);
      if (page.entries.length > 0) yield page.entries.map((entry) => statementRow(toLedgerEntry(entry, keys))).join('');
      before = page.next;
    } while (before !== null);
  }

  async allowance(accountId: string, { freeVerifiesPerMonth: limit }: Plan): Promise<Allowance> {
    const used = new Map((await this.sums.ofMonths(accountId, MONTHS)).map((use) => [use.month, use]));
    return {
      months: lastMonths(new Date(), MONTHS).map((month) => ({
        month: formatMonth(month),
        free_verifies_used: used.get(month)?.freeVerifies ?? 0,
        limit,
        credits_used: used.get(month)?.credits ?? 0,
      })),
    };
  }
}

function toFilter({ kind, from, to }: StatementFilterRequest): StatementFilter {
  const time = (text: string | undefined): Date | null => (text === undefined ? null : readMoment(text));
  return { kind: kind ?? null, from: time(from), to: time(to) };
}

function toLedgerEntry(entry: StatementEntry, keys: ReadonlyMap<string, string | null>): LedgerEntry {
  const { id, at, kind, reference, keyId, addresses, freeVerifies, balanceAfter } = entry;
  return {
    id,
    at: at.toISOString(),
    kind,
    endpoint: kind === 'grant' ? null : endpointOf(reference),
    key_id: keyId,
    key_name: (keyId !== null && keys.get(keyId)) || null,
    addresses,
    credits: shownCredits(entry),
    free_verifies: freeVerifies,
    balance_after: balanceAfter,
    reference,
  };
}

/** Latest first. */
function lastMonths(today: Date, count: number): Month[] {
  return Array.from({ length: count }, (_, i) =>
    monthOf(new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - i, 1))),
  );
}
