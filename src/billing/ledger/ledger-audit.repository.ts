import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { staleSnapshot } from '../../platform/database/replica/stale-reads.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';

/** A figure of an account that differs from the sum of its ledger rows. */
export interface Mismatch {
  readonly account: string;
  /** The figure's name, such as `purchased`, or `gifted through 202611` for a closing. */
  readonly figure: string;
  readonly kept: number;
  readonly ledger: number;
}

export interface AuditPage {
  /** Accounts audited, in id order. */
  readonly accounts: readonly string[];
  readonly mismatches: readonly Mismatch[];
}

interface Sums {
  readonly purchased: number;
  readonly gifted: number;
  /** Free verifies used in the balance's month. */
  readonly freeVerifiesUsed: number;
}

const NOTHING: Sums = { purchased: 0, gifted: 0, freeVerifiesUsed: 0 };

interface SumRow {
  account_id: Buffer;
  purchased: string | null;
  gifted: string | null;
  free_verifies_used: string | null;
}

interface ClosingRow {
  account_id: Buffer;
  month: number;
  purchased: string;
  gifted: string;
  ledger_purchased: string | null;
  ledger_gifted: string | null;
}

const LATEST_CLOSING = `(SELECT MAX(month) FROM ledger_closings WHERE account_id = a.id)`;

/** Compares stored balances and closings with the sums of the ledger rows. Read-only, takes no locks. */
@Injectable()
export class LedgerAuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Audits the accounts after an id, or one account, each page in one snapshot. The free verifies of a closed month pay
   * for nothing any more: only a full audit checks them.
   * @param full sums every row and checks the closings too; else only the rows after the last closing
   */
  page(which: { readonly after: string | null; readonly limit: number } | { readonly account: string }, full: boolean) {
    // All reads of the transaction share one snapshot: charges continue meanwhile.
    return staleSnapshot(this.dataSource, async (transaction): Promise<AuditPage> => {
      const kept = await balances(transaction, which);
      if (kept.size === 0) return { accounts: [], mismatches: [] };
      const ids = [...kept.keys()].map(idToBytes);
      const added = await sums(transaction, ids, full);
      const mismatches = [...kept].flatMap(([account, figures]) =>
        compare(account, figures, added.get(account) ?? NOTHING),
      );
      if (full) mismatches.push(...(await closingMismatches(transaction, ids)));
      return { accounts: [...kept.keys()], mismatches };
    });
  }
}

async function balances(
  transaction: EntityManager,
  which: { readonly after: string | null; readonly limit: number } | { readonly account: string },
): Promise<Map<string, Sums>> {
  const select = `SELECT a.id AS account_id, b.purchased, b.gifted, b.free_verifies_used
    FROM accounts a LEFT JOIN account_balances b ON b.account_id = a.id`;
  const rows = await ('account' in which
    ? transaction.query<SumRow[]>(`${select} WHERE a.id = ?`, [idToBytes(which.account)])
    : transaction.query<SumRow[]>(`${select} WHERE a.id > ? ORDER BY a.id LIMIT ?`, [
        which.after === null ? Buffer.alloc(0) : idToBytes(which.after),
        which.limit,
      ]));
  return toSums(rows);
}

async function sums(transaction: EntityManager, ids: readonly Buffer[], full: boolean): Promise<Map<string, Sums>> {
  const closing = full ? '' : `LEFT JOIN ledger_closings c ON c.account_id = a.id AND c.month = ${LATEST_CLOSING}`;
  const used = '-SUM(IF(e.month = b.month, e.free_verifies, 0))';
  const figures = full
    ? `COALESCE(SUM(e.purchased), 0) AS purchased, COALESCE(SUM(e.gifted), 0) AS gifted, ${used} AS free_verifies_used`
    : `COALESCE(MAX(c.purchased), 0) + COALESCE(SUM(e.purchased), 0) AS purchased,
        COALESCE(MAX(c.gifted), 0) + COALESCE(SUM(e.gifted), 0) AS gifted,
        IF(MAX(b.month) <= MAX(c.month), MAX(b.free_verifies_used), ${used}) AS free_verifies_used`;
  const rows = await transaction.query<SumRow[]>(
    `SELECT a.id AS account_id, ${figures}
      FROM accounts a LEFT JOIN account_balances b ON b.account_id = a.id ${closing}
        LEFT JOIN ledger_entries e ON e.account_id = a.id AND e.id > ${full ? '0' : 'COALESCE(c.through_id, 0)'}
      WHERE a.id IN (?) GROUP BY a.id`,
    [ids],
  );
  return toSums(rows);
}

async function closingMismatches(transaction: EntityManager, ids: readonly Buffer[]): Promise<Mismatch[]> {
  const rows = await transaction.query<ClosingRow[]>(
    `SELECT c.account_id, c.month, c.purchased, c.gifted,
        SUM(e.purchased) AS ledger_purchased, SUM(e.gifted) AS ledger_gifted
      FROM ledger_closings c LEFT JOIN ledger_entries e ON e.account_id = c.account_id AND e.id <= c.through_id
      WHERE c.account_id IN (?) GROUP BY c.account_id, c.month, c.purchased, c.gifted`,
    [ids],
  );
  return rows.flatMap((row) => {
    const account = idFromBytes(row.account_id);
    const through = ` through ${row.month}`;
    return [
      ...differing(account, `purchased${through}`, Number(row.purchased), Number(row.ledger_purchased)),
      ...differing(account, `gifted${through}`, Number(row.gifted), Number(row.ledger_gifted)),
    ];
  });
}

function compare(account: string, kept: Sums, ledger: Sums): Mismatch[] {
  return [
    ...differing(account, 'purchased', kept.purchased, ledger.purchased),
    ...differing(account, 'gifted', kept.gifted, ledger.gifted),
    ...differing(account, 'free verifies used', kept.freeVerifiesUsed, ledger.freeVerifiesUsed),
  ];
}

function differing(account: string, figure: string, kept: number, ledger: number): Mismatch[] {
  return kept === ledger ? [] : [{ account, figure, kept, ledger }];
}

function toSums(rows: readonly SumRow[]): Map<string, Sums> {
  return new Map(
    rows.map((row) => [
      idFromBytes(row.account_id),
      {
        purchased: Number(row.purchased),
        gifted: Number(row.gifted),
        freeVerifiesUsed: Number(row.free_verifies_used),
      },
    ]),
  );
}
