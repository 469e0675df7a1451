import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { staleSnapshot } from '../../platform/database/replica/stale-reads.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { LedgerKind } from '../ledger/ledger-kind.js';
import {
  afterLast,
  findChunks,
  MAX_SEGMENTS,
  type Found,
  type Segment,
  type StatementFilter,
} from './statement-segments.repository.js';
import { NOTHING, statement } from '../../platform/database/statement.js';

export interface StatementEntry {
  readonly id: string;
  readonly at: Date;
  readonly kind: LedgerKind;
  readonly reference: string;
  readonly keyId: string | null;
  readonly addresses: number;
  /** Changes: negative for charges. */
  readonly purchased: number;
  readonly gifted: number;
  readonly freeVerifies: number;
  /** Credits of both kinds after it. */
  readonly balanceAfter: number;
}

export interface StatementPage {
  /** Newest first. May be empty although there are further ones, where few rows pass the filter. */
  readonly entries: readonly StatementEntry[];
  /** Ids of the rest are below it; null: there are no more. */
  readonly next: string | null;
  /** Credits of both kinds now. */
  readonly balance: number;
}

interface EntryRow extends Omit<StatementEntry, 'keyId' | 'purchased' | 'gifted' | 'balanceAfter'> {
  keyId: Buffer | null;
  purchased: string;
  gifted: string;
  balanceAfter: string;
}

/** Above every id. */
const NO_END = '18446744073709551615';

/** Reads an account's ledger as a statement: each row with the balance after it, in time that its length does not change. */
@Injectable()
export class StatementRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param before id; null: start with the newest */
  page(accountId: string, filter: StatementFilter, before: string | null, limit: number): Promise<StatementPage> {
    const id = idToBytes(accountId);
    // All reads of the transaction share one snapshot: charges continue meanwhile.
    return staleSnapshot(this.dataSource, async (transaction) => {
      const balance = await balanceOf(transaction, id);
      const end = before ?? NO_END;
      const { segments, next: unread } = await segmentsOf(transaction, id, filter, end, balance);
      const entries: StatementEntry[] = [];
      for (const segment of segments.slice(0, MAX_SEGMENTS)) {
        entries.push(...(await rowsOf(transaction, id, segment, filter, end, limit + 1 - entries.length)));
        if (entries.length <= limit) continue;
        const page = entries.slice(0, limit);
        return { entries: page, next: page.at(-1)!.id, balance: Number(balance) };
      }
      const next = segments.length > MAX_SEGMENTS ? afterLast(segments[MAX_SEGMENTS]!) : unread;
      return { entries, next, balance: Number(balance) };
    });
  }
}

async function balanceOf(transaction: EntityManager, id: Buffer): Promise<string> {
  const [row] = await transaction.sql<{ credits: string }[]>`
    SELECT purchased + gifted AS credits FROM account_balances WHERE account_id = ${id}`;
  return row?.credits ?? '0';
}

/** The rows after the last chunk, then chunks with a row that may pass the filter. */
async function segmentsOf(
  transaction: EntityManager,
  id: Buffer,
  filter: StatementFilter,
  end: string,
  balance: string,
): Promise<Found> {
  const found = await findChunks(transaction, id, filter, end);
  const [last] = await transaction.sql<{ through_id: string }[]>`
    SELECT through_id FROM ledger_chunks WHERE account_id = ${id} ORDER BY number DESC LIMIT 1`;
  const from_id = last?.through_id ?? '0';
  if (BigInt(end) <= BigInt(from_id) + 1n) return found;
  return { ...found, segments: [{ from_id, through_id: NO_END, credits_after: balance }, ...found.segments] };
}

/** The balance after each row is that after the segment, without what came between. */
async function rowsOf(
  transaction: EntityManager,
  id: Buffer,
  segment: Segment,
  { kind, from, to }: StatementFilter,
  end: string,
  limit: number,
): Promise<StatementEntry[]> {
  const ofKind = kind === null ? NOTHING : statement`AND segment.kind = ${kind}`;
  const since = from === null ? NOTHING : statement`AND segment.created_at >= ${from}`;
  const until = to === null ? NOTHING : statement`AND segment.created_at < ${to}`;
  // The sum is made over few columns, and the others are read for the rows that pass: sorting whole rows costs more than finding these again.
  const rows = await statement`
    SELECT e.id, e.created_at AS at, e.kind, e.reference, e.key_id AS keyId, e.addresses, e.purchased, e.gifted,
        e.free_verifies AS freeVerifies, segment.balance_after AS balanceAfter
      FROM (
        SELECT id, kind, created_at,
          ${segment.credits_after} + purchased + gifted - SUM(purchased + gifted) OVER (ORDER BY id DESC) AS balance_after
        FROM ledger_entries WHERE account_id = ${id} AND id > ${segment.from_id} AND id <= ${segment.through_id}
      ) AS segment JOIN ledger_entries e ON e.id = segment.id
      WHERE segment.id < ${end} ${ofKind} ${since} ${until} ORDER BY segment.id DESC LIMIT ${limit}`.run<EntryRow[]>(
    transaction,
  );
  return rows.map(toEntry);
}

function toEntry(row: EntryRow): StatementEntry {
  return {
    ...row,
    keyId: row.keyId && idFromBytes(row.keyId),
    purchased: Number(row.purchased),
    gifted: Number(row.gifted),
    balanceAfter: Number(row.balanceAfter),
  };
}
