import type { EntityManager } from 'typeorm';
import { idToBytes, isId } from '../../platform/ids/uuid.js';
import type { FailedWork } from '../../platform/queues/failed-work.repository.js';
import { JOB_BATCH_QUEUE } from '../job-batch.queue.js';

const ENDED = 'the job has ended this work: entries without a verdict are `verify_unavailable` and were refunded';
/** A time in the past, so that the reconciler takes the work up at once. */
const LONG_AGO = "'2000-01-01 00:00:00.000'";

/** Handles failed work of jobs: addresses that were given up stay refunded; open work is queued again. */
export const failedBatches: FailedWork = {
  queue: JOB_BATCH_QUEUE.name,

  async makeDueWithin(transaction: EntityManager, jobId: string): Promise<string | null> {
    const [, kind, id, number] = /^(plan|shape|chunk)-([0-9a-f-]{36})(?:-(\d{1,9}))?$/.exec(jobId) ?? [];
    if (id === undefined || !isId(id) || (kind === 'chunk') !== (number !== undefined)) return 'its id names no job';
    const isMade = await (kind === 'chunk'
      ? makeChunkDue(transaction, idToBytes(id), Number(number))
      : makeJobDue(transaction, idToBytes(id)));
    return isMade ? null : ENDED;
  },
};

async function makeChunkDue(transaction: EntityManager, job: Buffer, number: number): Promise<boolean> {
  const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
    UPDATE job_chunks SET begun = 0, failures = 0, queued_at = ${() => LONG_AGO}
      WHERE job_id = ${job} AND number = ${number} AND state = 'due'`;
  return affectedRows === 1;
}

/**
 * Makes a job due if it waits to be planned or for its results to be written. Any other job continues through its
 * chunks.
 */
async function makeJobDue(transaction: EntityManager, job: Buffer): Promise<boolean> {
  const { affectedRows } = await transaction.sql<{ affectedRows: number }>`
    UPDATE jobs SET begun = 0, touched_at = ${() => LONG_AGO}
      WHERE id = ${job} AND status = 'processing' AND sandbox = 0 AND (stage <> 'planned' OR done >= total)`;
  return affectedRows === 1;
}
