import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { groupBy } from '../../platform/collections/group-by.js';
import { staleSnapshot } from '../../platform/database/replica/stale-reads.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { Funds } from '../funds.js';
import type { Month } from '../month.js';
import { readPoints, type AuditPoint } from './audit-points.repository.js';
import { sumRanges, type RowSums } from './range-sums.repository.js';

/** A figure of an account that differs from the sum of its ledger rows. */
export interface Mismatch {
  readonly account: string;
  /** The figure's name, such as `purchased`, or `gifted through 202611` for a closing. */
  readonly figure: string;
  readonly kept: number;
  readonly ledger: number;
}

/**
 * Where an audit starts to add up rows: after the rows that the last daily audit read, after those of the last monthly
 * closing, or with the first one.
 */
export type AuditStart = 'last audit' | 'last closing' | 'first row';

export interface AuditPage {
  /** Accounts audited, in id order. */
  readonly accounts: readonly string[];
  readonly mismatches: readonly Mismatch[];
  /** Where the next audit starts, of accounts with new rows; empty unless this one started at the last audit. */
  readonly points: readonly AuditPoint[];
}

type Which = { readonly after: string | null; readonly limit: number } | { readonly account: string };

interface Closing {
  readonly month: Month;
  readonly throughId: string;
  readonly purchased: number;
  readonly gifted: number;
}

interface Account {
  readonly id: string;
  readonly balance: Funds;
  /** Oldest month first. */
  readonly closings: readonly Closing[];
}

const NOTHING: RowSums = { throughId: '0', purchased: 0, gifted: 0, freeVerifiesUsed: 0 };

/** Compares stored balances and closings with the sums of the ledger rows. Read-only, takes no locks. */
@Injectable()
export class LedgerAuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Audits the accounts after an id, or one account, each page in one snapshot. The free verifies of a closed month pay
   * for nothing any more: only an audit from the first row checks them, and the closings.
   */
  page(which: Which, start: AuditStart): Promise<AuditPage> {
    // All reads of the transaction share one snapshot: charges continue meanwhile.
    return staleSnapshot(this.dataSource, async (transaction): Promise<AuditPage> => {
      const accounts = await readAccounts(transaction, which);
      const found =
        start === 'first row'
          ? await fromFirstRow(transaction, accounts)
          : await sinceClosing(transaction, accounts, start);
      return { accounts: accounts.map(({ id }) => id), ...found };
    });
  }
}

type Found = Omit<AuditPage, 'accounts'>;

async function readAccounts(transaction: EntityManager, which: Which): Promise<Account[]> {
  const select = `SELECT a.id, b.purchased, b.gifted, b.month, b.free_verifies_used
    FROM accounts a LEFT JOIN account_balances b ON b.account_id = a.id`;
  const rows = await ('account' in which
    ? transaction.sql<BalanceRow[]>`${() => select} WHERE a.id = ${idToBytes(which.account)}`
    : transaction.sql<BalanceRow[]>`${() => select}
        WHERE a.id > ${which.after === null ? Buffer.alloc(0) : idToBytes(which.after)}
        ORDER BY a.id LIMIT ${which.limit}`);
  const closings = rows.length === 0 ? new Map<string, Closing[]>() : await readClosings(transaction, rows);
  return rows.map((row) => {
    const id = idFromBytes(row.id);
    const balance = {
      purchased: Number(row.purchased),
      gifted: Number(row.gifted),
      month: Number(row.month),
      freeVerifiesUsed: Number(row.free_verifies_used),
    };
    return { id, balance, closings: closings.get(id) ?? [] };
  });
}

interface BalanceRow {
  id: Buffer;
  purchased: string | null;
  gifted: string | null;
  month: number | null;
  free_verifies_used: number | null;
}

async function readClosings(
  transaction: EntityManager,
  accounts: readonly { readonly id: Buffer }[],
): Promise<Map<string, Closing[]>> {
  const rows = await transaction.sql<
    { account_id: Buffer; month: number; through_id: string; purchased: string; gifted: string }[]
  >`
    SELECT account_id, month, through_id, purchased, gifted FROM ledger_closings
      WHERE account_id IN (${accounts.map(({ id }) => id)}) ORDER BY account_id, month`;
  const closings = rows.map(({ account_id, month, through_id, purchased, gifted }) => {
    const account = idFromBytes(account_id);
    return { account, month, throughId: through_id, purchased: Number(purchased), gifted: Number(gifted) };
  });
  return groupBy(closings, ({ account }) => account);
}

async function sinceClosing(
  transaction: EntityManager,
  accounts: readonly Account[],
  start: Exclude<AuditStart, 'first row'>,
): Promise<Found> {
  const points = start === 'last audit' ? await readPoints(transaction, accounts) : new Map<string, AuditPoint>();
  const sums = accounts.map((account) => startOf(account, points.get(account.id)));
  const ranges = accounts.map(({ id, balance }, place) => {
    return { account: id, fromId: sums[place]!.throughId, throughId: null, month: balance.month };
  });
  const added = await sumRanges(transaction, ranges);
  const mismatches: Mismatch[] = [];
  const next: AuditPoint[] = [];
  for (const [place, { id, balance, closings }] of accounts.entries()) {
    const closing = closings.at(-1);
    const fromId = closing?.throughId ?? '0';
    const sum = plus(sums[place]!, added[place]!);
    const isClosed = closing !== undefined && balance.month <= closing.month;
    const purchased = (closing?.purchased ?? 0) + sum.purchased;
    const gifted = (closing?.gifted ?? 0) + sum.gifted;
    const { freeVerifiesUsed } = isClosed ? balance : sum;
    mismatches.push(...compare(id, balance, { purchased, gifted, freeVerifiesUsed }));
    if (start === 'last audit' && sum.throughId !== fromId) {
      next.push({ account: id, fromId, month: balance.month, ...sum });
    }
  }
  return { mismatches, points: next.filter((point) => isNew(point, points.get(point.account))) };
}

/** What need not be read again. A point ends with the next closing, which has added up its rows once more. */
function startOf({ balance, closings }: Account, point: AuditPoint | undefined): RowSums {
  const throughId = closings.at(-1)?.throughId ?? '0';
  if (point === undefined || point.fromId !== throughId || point.month > balance.month) {
    return { ...NOTHING, throughId };
  }
  return point.month === balance.month ? point : { ...point, freeVerifiesUsed: 0 };
}

function isNew(point: AuditPoint, old: AuditPoint | undefined): boolean {
  return point.throughId !== old?.throughId || point.fromId !== old.fromId;
}

/** Each row is read once: closings split the rows into ranges. */
async function fromFirstRow(transaction: EntityManager, accounts: readonly Account[]): Promise<Found> {
  const ranges = accounts.flatMap(({ id, balance, closings }) => {
    const ends = [...new Set(closings.map(({ throughId }) => BigInt(throughId)))].toSorted((one, other) =>
      one < other ? -1 : 1,
    );
    return [0n, ...ends].map((fromId, place) => ({
      account: id,
      fromId: String(fromId),
      throughId: place < ends.length ? String(ends[place]) : null,
      month: balance.month,
    }));
  });
  const sums = await sumRanges(transaction, ranges);
  const mismatches: Mismatch[] = [];
  const totals = new Map<string, RowSums>();
  const throughClosings = new Map<string, RowSums>();
  for (const [place, { account, throughId }] of ranges.entries()) {
    const total = plus(totals.get(account) ?? NOTHING, sums[place]!);
    totals.set(account, total);
    if (throughId !== null) throughClosings.set(`${account} ${throughId}`, total);
  }
  for (const { id, balance, closings } of accounts) {
    mismatches.push(...compare(id, balance, totals.get(id)!));
    for (const { month, throughId, purchased, gifted } of closings) {
      const ledger = throughClosings.get(`${id} ${throughId}`)!;
      mismatches.push(
        ...differing(id, `purchased through ${month}`, purchased, ledger.purchased),
        ...differing(id, `gifted through ${month}`, gifted, ledger.gifted),
      );
    }
  }
  return { mismatches, points: [] };
}

function plus(sum: RowSums, more: RowSums): RowSums {
  return {
    throughId: more.throughId,
    purchased: sum.purchased + more.purchased,
    gifted: sum.gifted + more.gifted,
    freeVerifiesUsed: sum.freeVerifiesUsed + more.freeVerifiesUsed,
  };
}

function compare(account: string, kept: Omit<Funds, 'month'>, ledger: Omit<Funds, 'month'>): Mismatch[] {
  return [
    ...differing(account, 'purchased', kept.purchased, ledger.purchased),
    ...differing(account, 'gifted', kept.gifted, ledger.gifted),
    ...differing(account, 'free verifies used', kept.freeVerifiesUsed, ledger.freeVerifiesUsed),
  ];
}

function differing(account: string, figure: string, kept: number, ledger: number): Mismatch[] {
  return kept === ledger ? [] : [{ account, figure, kept, ledger }];
}
