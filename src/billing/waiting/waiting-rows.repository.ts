import type { Statement } from '../../platform/database/packet-connection.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { WaitingPart } from './waiting-part.js';

/** A row to be written, or that was. */
export interface WaitingRow extends WaitingPart {
  /** Of the charge. */
  readonly reference: string;
}

/** For the transaction that makes the charges. At least one row. */
export function insertWaiting(rows: readonly WaitingRow[], now: string): Statement {
  const row = `(?, ?, ?, ?, ${now})`;
  return {
    sql: `INSERT INTO waiting_charges (waits_on, reference, part, credits, created_at)
      VALUES ${rows.map(() => row).join(', ')}`,
    values: rows.flatMap(({ waitsOn, reference, part, credits }) => [idToBytes(waitsOn), reference, part, credits]),
  };
}

/** Deletes what of one charge waits on one probe: a beginning of the primary key, so that nothing else is locked. */
export function deleteWaiting({ waitsOn, reference }: Pick<WaitingRow, 'waitsOn' | 'reference'>): Statement {
  return {
    sql: 'DELETE FROM waiting_charges WHERE waits_on = ? AND reference = ?',
    values: [idToBytes(waitsOn), reference],
  };
}
