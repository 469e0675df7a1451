import type { EntityManager } from 'typeorm';
import { NOW } from '../outcomes/job-sql.js';

/** `group_name` of a chunk with several groups of mail hosts. */
export const SEVERAL_GROUPS = '';

/** Positions of a chunk's entries without an outcome; null: an earlier release planned it, and its entries name it. */
export type OpenPositions = readonly number[] | null;

interface DueRow {
  number: number;
  positions: string | null;
}

/** Locks those of the chunks that are not done. @returns their open positions by number */
export async function lockDueChunks(
  transaction: EntityManager,
  job: Buffer,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, OpenPositions>> {
  const rows = await transaction.query<DueRow[]>(
    `SELECT number, positions FROM job_chunks FORCE INDEX (PRIMARY)
      WHERE job_id = ? AND number IN (?) AND state = 'due' ORDER BY number FOR UPDATE`,
    [job, numbers],
  );
  return new Map(rows.map(({ number, positions }) => [number, readPositions(positions)]));
}

/** The transaction must hold the chunk. A chunk whose open positions change is alive, so this resets `begun`. */
export async function writeOpenPositions(
  transaction: EntityManager,
  job: Buffer,
  number: number,
  positions: Iterable<number>,
): Promise<void> {
  await transaction.query('UPDATE job_chunks SET begun = 0, positions = ? WHERE job_id = ? AND number = ?', [
    writePositions([...positions]),
    job,
    number,
  ]);
}

/**
 * Empties the lists of these chunks, and ends those of several groups, for which no other chunk waits. The transaction must
 * hold them.
 */
export async function emptyChunks(transaction: EntityManager, job: Buffer, numbers: readonly number[]): Promise<void> {
  const isAlone = `group_name = '${SEVERAL_GROUPS}'`;
  await transaction.query(
    `UPDATE job_chunks SET begun = 0, positions = '', state = IF(${isAlone}, 'done', state),
        holder = IF(${isAlone}, NULL, holder), due_at = IF(${isAlone}, ${NOW}, due_at)
      WHERE job_id = ? AND number IN (?)`,
    [job, numbers],
  );
}

export function writePositions(positions: OpenPositions): string | null {
  return positions && positions.join(',');
}

export function readPositions(stored: string | null): OpenPositions {
  if (stored === null) return null;
  return stored === '' ? [] : stored.split(',').map(Number);
}
