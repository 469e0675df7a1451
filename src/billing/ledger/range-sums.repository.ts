import type { EntityManager } from 'typeorm';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { Funds } from '../funds.js';
import type { Month } from '../month.js';
import { joined, NOTHING, statement } from '../../platform/database/statement.js';

/** Ledger rows of one account, by their ids. */
export interface RowRange {
  readonly account: string;
  /** Exclusive. */
  readonly fromId: string;
  /** Inclusive; null: up to the last row. */
  readonly throughId: string | null;
  /** Whose free verifies are added up. */
  readonly month: Month;
}

export interface RowSums extends Omit<Funds, 'month'> {
  /** The last row of the range; its `fromId` where it has none. */
  readonly throughId: string;
}

/** Ranges of one statement. */
const AT_ONCE = 200;

/**
 * What the rows of each range add up to, in the order of the ranges. Each has a SELECT of its own, with values: where
 * ids come from a join, MariaDB reads all rows of the account.
 */
export async function sumRanges(transaction: EntityManager, ranges: readonly RowRange[]): Promise<RowSums[]> {
  const sums: RowSums[] = [];
  for (let from = 0; from < ranges.length; from += AT_ONCE) {
    sums.push(...(await sumFew(transaction, ranges.slice(from, from + AT_ONCE))));
  }
  return sums;
}

async function sumFew(transaction: EntityManager, ranges: readonly RowRange[]): Promise<RowSums[]> {
  const selects = ranges.map(
    ({ account, fromId, throughId, month }, place) => statement`SELECT ${place} AS place,
      COALESCE(MAX(id), ${fromId}) AS through_id, COALESCE(SUM(purchased), 0) AS purchased,
      COALESCE(SUM(gifted), 0) AS gifted, COALESCE(-SUM(IF(month = ${month}, free_verifies, 0)), 0) AS free_verifies_used
      FROM ledger_entries FORCE INDEX (ledger_entries_account)
      WHERE account_id = ${idToBytes(account)} AND id > ${fromId}
        ${throughId === null ? NOTHING : statement`AND id <= ${throughId}`}`,
  );
  const rows = await joined(selects, ' UNION ALL ').run<
    { place: number; through_id: string; purchased: string; gifted: string; free_verifies_used: string }[]
  >(transaction);
  return rows
    .toSorted((one, other) => one.place - other.place)
    .map((row) => ({
      throughId: row.through_id,
      purchased: Number(row.purchased),
      gifted: Number(row.gifted),
      freeVerifiesUsed: Number(row.free_verifies_used),
    }));
}
