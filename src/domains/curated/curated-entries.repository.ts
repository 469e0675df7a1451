import type { DataSource, EntityManager } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { appendAudit, type AuditEntry } from '../../platform/audit/audit-log.repository.js';
import type { CuratedKind } from './curated-kind.js';

/** An entry as shown to an operator. */
export interface CuratedEntry {
  readonly entry: string;
  readonly label: string | null;
  readonly note: string | null;
  readonly createdAt: Date;
}

/** The desired state of an entry. Undefined fields keep their value. */
export interface WantedEntry {
  readonly entry: string;
  readonly label?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** Number of entries per outcome. */
export interface PutCounts {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
}

/** The audit record of a change. Never contains a note. */
export type Act = Omit<AuditEntry, 'accountId'>;

/** Entries read and written per statement. */
const CHUNK = 1000;

const PUT = `INSERT INTO curated_entries (kind, entry, label, note, created_at) VALUES ?
  ON DUPLICATE KEY UPDATE label = VALUES(label), note = VALUES(note)`;

type StoredRow = Pick<CuratedEntry, 'entry' | 'label' | 'note'>;

/** Changes the lists for operators: entries, audit log and list version in one transaction. */
export class CuratedEntriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** In the order of the entries. */
  async list(kind: CuratedKind): Promise<CuratedEntry[]> {
    return this.dataSource.sql<CuratedEntry[]>`
      SELECT entry, label, note, created_at AS createdAt FROM curated_entries WHERE kind = ${kind} ORDER BY entry`;
  }

  /**
   * Adds or updates entries, all or none.
   * @param wanted each entry once
   * @param actOf builds the audit record, unless nothing has changed
   */
  upsert(kind: CuratedKind, wanted: readonly WantedEntry[], actOf: (counts: PutCounts) => Act): Promise<PutCounts> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const now = await takeTurn(transaction, kind);
      let [added, updated] = [0, 0];
      for (let start = 0; start < wanted.length; start += CHUNK) {
        const chunk = wanted.slice(start, start + CHUNK);
        const stored = await find(transaction, kind, chunk);
        const changed = chunk.flatMap((one) => merge(one, stored.get(one.entry)) ?? []);
        if (changed.length === 0) continue;
        await transaction.query(PUT, [changed.map(({ entry, label, note }) => [kind, entry, label, note, now])]);
        const fresh = changed.filter(({ entry }) => !stored.has(entry)).length;
        added += fresh;
        updated += changed.length - fresh;
      }
      const counts = { added, updated, unchanged: wanted.length - added - updated };
      if (added + updated > 0) await tellOfChange(transaction, kind, actOf(counts));
      return counts;
    });
  }

  /** False if it did not exist. */
  remove(kind: CuratedKind, entry: string, act: Act): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      await takeTurn(transaction, kind);
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
        DELETE FROM curated_entries WHERE kind = ${kind} AND entry = ${entry}`;
      if (affectedRows === 0) return false;
      await tellOfChange(transaction, kind, act);
      return true;
    });
  }
}

/**
 * Locks this list against other changes until the transaction ends, so that reads stay valid.
 * @returns the database's time
 */
async function takeTurn(transaction: EntityManager, kind: CuratedKind): Promise<Date> {
  const [row] = await transaction.sql<{ now: Date }[]>`
    SELECT UTC_TIMESTAMP(3) AS now FROM curated_versions WHERE kind = ${kind} FOR UPDATE`;
  if (row === undefined) throw new Error(`the table curated_versions has lost its row of ${kind}`);
  return row.now;
}

async function find(
  transaction: EntityManager,
  kind: CuratedKind,
  wanted: readonly WantedEntry[],
): Promise<ReadonlyMap<string, StoredRow>> {
  const rows = await transaction.sql<StoredRow[]>`
    SELECT entry, label, note FROM curated_entries WHERE kind = ${kind}
      AND entry IN (${wanted.map(({ entry }) => entry)})`;
  return new Map(rows.map((row) => [row.entry, row]));
}

/** The row to write; null if it is unchanged. */
function merge({ entry, label, note }: WantedEntry, stored: StoredRow | undefined): StoredRow | null {
  const merged = {
    entry,
    label: label === undefined ? (stored?.label ?? null) : label,
    note: note === undefined ? (stored?.note ?? null) : note,
  };
  return stored !== undefined && stored.label === merged.label && stored.note === merged.note ? null : merged;
}

async function tellOfChange(transaction: EntityManager, kind: CuratedKind, act: Act): Promise<void> {
  await transaction.sql`UPDATE curated_versions SET version = version + 1 WHERE kind = ${kind}`;
  await appendAudit(transaction, { ...act, accountId: null });
}
