import type { EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';

/** `group_name` of a chunk with several groups of mail hosts. */
export const SEVERAL_GROUPS = '';

/** Positions of a chunk's entries without an outcome; null: an earlier release planned it, and its entries name it. */
export type OpenPositions = readonly number[] | null;

export interface DueChunk {
  readonly open: OpenPositions;
  /** True if other chunks of its group may wait for it. */
  readonly mayRelease: boolean;
}

interface DueRow {
  number: number;
  group_name: string;
  positions: string | null;
}

/** Locks those of the chunks that are not done, and returns them by number. */
export async function lockDueChunks(
  transaction: EntityManager,
  job: Buffer,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, DueChunk>> {
  const rows = await transaction.sql<DueRow[]>`
    SELECT number, group_name, positions FROM job_chunks FORCE INDEX (PRIMARY)
      WHERE job_id = ${job} AND number IN (${numbers}) AND state = 'due' ORDER BY number FOR UPDATE`;
  return new Map(
    rows.map(({ number, group_name, positions }) => [
      number,
      { open: readPositions(positions), mayRelease: group_name !== SEVERAL_GROUPS },
    ]),
  );
}

/** The transaction must hold the chunk. A chunk whose open positions change is alive, so this resets `begun`. */
export async function writeOpenPositions(
  transaction: EntityManager,
  job: Buffer,
  number: number,
  positions: Iterable<number>,
): Promise<void> {
  await transaction.sql`
    UPDATE job_chunks SET begun = 0, positions = ${writePositions([...positions])} WHERE job_id = ${job}
      AND number = ${number}`;
}

/** Ends chunks without open entries. The transaction must hold them. */
export async function endChunks(transaction: EntityManager, job: Buffer, numbers: readonly number[]): Promise<void> {
  await transaction.sql`
    UPDATE job_chunks SET begun = 0, positions = '', state = 'done', holder = NULL, due_at = ${() => NOW}
      WHERE job_id = ${job} AND number IN (${numbers})`;
}

export function writePositions(positions: OpenPositions): string | null {
  return positions && positions.join(',');
}

export function readPositions(stored: string | null): OpenPositions {
  if (stored === null) return null;
  return stored === '' ? [] : stored.split(',').map(Number);
}
