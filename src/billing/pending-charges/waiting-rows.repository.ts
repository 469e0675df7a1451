import { idToBytes } from '../../platform/ids/uuid.js';
import type { WaitingPart } from './waiting-part.js';
import { sqlValue, statement, type Statement } from '../../platform/database/statement.js';

/** A row to write, or one that was written. */
export interface WaitingRow extends WaitingPart {
  /** Reference of the charge. */
  readonly reference: string;
}

/** Without the index hint, MySQL scans a small table and waits for every running charge. */
export const DELETE_BY_KEY = 'DELETE w FROM waiting_charges AS w FORCE INDEX (PRIMARY)';

/** For the transaction that charges. At least one row. */
export function insertWaiting(rows: readonly WaitingRow[], now: string): Statement {
  const createdAt = sqlValue(now);
  return statement`INSERT INTO waiting_charges (waits_on, reference, part, credits, created_at, request_id)
    VALUES ${rows.map((row) => [idToBytes(row.waitsOn), row.reference, row.part, row.credits, createdAt, row.requestId])}`;
}

/** Deletes the parts of one charge that wait on one probe. */
export function deleteWaiting({ waitsOn, reference }: Pick<WaitingRow, 'waitsOn' | 'reference'>): Statement {
  return statement`${() => DELETE_BY_KEY} WHERE w.waits_on = ${idToBytes(waitsOn)} AND w.reference = ${reference}`;
}
