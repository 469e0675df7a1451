import type { EntityManager } from 'typeorm';
import type { ChunkKind } from '../../verify/bulk/retry-decision.js';
import { inMs } from '../../platform/database/database-now.js';
import { sqlValue } from '../../platform/database/statement.js';
import { NOT_RELEASED } from '../outcomes/job-sql.js';
import { SEVERAL_GROUPS, writePositions, type OpenPositions } from './due-chunks.repository.js';

export interface NewChunk {
  readonly number: number;
  /** Group of mail hosts; null: several groups. */
  readonly group: string | null;
  readonly kind: ChunkKind;
  readonly priority: number;
  readonly delayMs: number;
  readonly egress: string | null;
  /** False: the chunk waits until another chunk of its group is done. */
  readonly released: boolean;
  readonly positions: OpenPositions;
}

const LONGEST_GROUP = 253;
const INSERTED_AT_ONCE = 500;

/** The transaction must hold the lock of the job. */
export async function insertChunks(
  transaction: EntityManager,
  job: Buffer,
  chunks: readonly NewChunk[],
): Promise<void> {
  for (let from = 0; from < chunks.length; from += INSERTED_AT_ONCE) {
    const batch = chunks.slice(from, from + INSERTED_AT_ONCE);
    const rows = batch.map(({ number, group, kind, priority, released, delayMs, egress, positions }) => {
      const due = sqlValue(released ? inMs(delayMs) : NOT_RELEASED);
      const groupName = (group ?? SEVERAL_GROUPS).slice(0, LONGEST_GROUP);
      return [job, number, groupName, kind, 'due', priority, due, due, egress, writePositions(positions)];
    });
    await transaction.sql`INSERT INTO job_chunks (job_id, number, group_name, kind, state, priority, due_at, queued_at,
      egress, positions) VALUES ${rows}`;
  }
}
