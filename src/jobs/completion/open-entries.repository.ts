import type { EntityManager } from 'typeorm';
import { readPositions, writeOpenPositions } from '../chunks/due-chunks.repository.js';
import { OPEN } from '../outcomes/job-sql.js';

/** Entries per transaction. */
const AT_ONCE = 500;

/**
 * Takes some entries without an outcome from a job that is closed: off the list of their chunk, if it has one. The caller
 * stores their outcome in the same transaction. @returns their positions; none if no entry is left
 */
export async function takeOpen(transaction: EntityManager, job: Buffer): Promise<readonly number[]> {
  const chunks = await transaction.sql<{ number: number; positions: string }[]>`
    SELECT number, positions FROM job_chunks FORCE INDEX (PRIMARY)
      WHERE job_id = ${job} AND positions IS NOT NULL ORDER BY number FOR UPDATE`;
  for (const { number, positions: stored } of chunks) {
    const positions = readPositions(stored) ?? [];
    if (positions.length === 0) continue;
    await writeOpenPositions(transaction, job, number, positions.slice(AT_ONCE));
    return positions.slice(0, AT_ONCE);
  }
  // Entries of a chunk that lists its positions have an outcome elsewhere: no row of theirs says so.
  const named = chunks.length > 0 ? 'AND chunk IS NOT NULL' : '';
  const rows = await transaction.sql<{ position: number }[]>`
    SELECT position FROM job_entries FORCE INDEX (PRIMARY) WHERE job_id = ${job} AND ${() => OPEN} ${() => named}
      ORDER BY position LIMIT ${AT_ONCE} FOR UPDATE`;
  return rows.map(({ position }) => position);
}
