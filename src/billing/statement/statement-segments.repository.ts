import type { EntityManager } from 'typeorm';
import type { LedgerKind } from '../ledger/ledger-kind.js';
import { NOTHING, statement } from '../../platform/database/statement.js';

export interface StatementFilter {
  /** Null: all. */
  readonly kind: LedgerKind | null;
  /** Inclusive; null: from the first row. */
  readonly from: Date | null;
  /** Exclusive; null: up to the last row. */
  readonly to: Date | null;
}

/** Rows that are read together: those after `from_id`, up to `through_id`. */
export interface Segment {
  readonly from_id: string;
  readonly through_id: string;
  readonly credits_after: string;
}

export interface Found {
  /** Newest first. */
  readonly segments: readonly Segment[];
  /** A cursor for the chunks that were not looked at; null: there are none. */
  readonly next: string | null;
}

/** Segments of one page: its time is bounded, however few rows pass the filter. */
export const MAX_SEGMENTS = 12;
/** Chunks of one page that are searched for rows of a kind. */
const MAX_SEARCHED = 1000;
/** How far the database's clock may go back, so that a later row has an earlier time. */
const CLOCK_SLACK = 'INTERVAL 1 HOUR';
const COUNTS: Readonly<Record<LedgerKind, string>> = { grant: 'grants', charge: 'charges', refund: 'refunds' };

/** Chunks with a row below `end` that may pass the filter, one more than a page reads. */
export async function findChunks(
  transaction: EntityManager,
  account: Buffer,
  { kind, from, to }: StatementFilter,
  end: string,
): Promise<Found> {
  const above = from === null ? null : await firstAround(transaction, account, from);
  const below = to === null ? null : await firstAfter(transaction, account, to);
  const first = above === null ? NOTHING : statement`AND from_id >= ${above}`;
  const last = below === null ? NOTHING : statement`AND from_id < ${below}`;
  const since = from === null ? NOTHING : statement`AND last_at >= ${from}`;
  const until = to === null ? NOTHING : statement`AND first_at < ${to}`;
  const limit = kind === null ? MAX_SEGMENTS + 1 : MAX_SEARCHED;
  const chunks = await statement`
    SELECT from_id, through_id, credits_after, ${() => (kind === null ? '1' : COUNTS[kind])} AS matches
      FROM ledger_chunks FORCE INDEX (ledger_chunks_rows)
      WHERE account_id = ${account} AND from_id < ${String(BigInt(end) - 1n)} ${first} ${last} ${since} ${until}
      ORDER BY from_id DESC LIMIT ${limit}`.run<(Segment & { matches: number | string })[]>(transaction);
  const segments = chunks.filter(({ matches }) => Number(matches) > 0).slice(0, MAX_SEGMENTS + 1);
  const isCut = kind !== null && chunks.length === MAX_SEARCHED;
  return { segments, next: isCut ? String(BigInt(chunks.at(-1)!.from_id) + 1n) : null };
}

/** A cursor before which lies the whole segment. */
export function afterLast({ through_id }: Segment): string {
  return String(BigInt(through_id) + 1n);
}

/** @returns where the chunk begins that holds the rows of this time; null: they may be in the first one */
async function firstAround(transaction: EntityManager, account: Buffer, at: Date): Promise<string | null> {
  const [row] = await transaction.sql<{ from_id: string }[]>`
    SELECT from_id FROM ledger_chunks FORCE INDEX (ledger_chunks_times)
      WHERE account_id = ${account} AND first_at < ${at} - ${() => CLOCK_SLACK} ORDER BY first_at DESC LIMIT 1`;
  return row?.from_id ?? null;
}

/** @returns where the first chunk begins that has only later rows; null: there is none */
async function firstAfter(transaction: EntityManager, account: Buffer, at: Date): Promise<string | null> {
  const [row] = await transaction.sql<{ from_id: string }[]>`
    SELECT from_id FROM ledger_chunks FORCE INDEX (ledger_chunks_times)
      WHERE account_id = ${account} AND first_at >= ${at} + ${() => CLOCK_SLACK} ORDER BY first_at LIMIT 1`;
  return row?.from_id ?? null;
}
