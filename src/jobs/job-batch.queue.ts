import { z } from 'zod';
import type { WorkQueue } from '../platform/queues/work-queue.js';
import { isId } from '../platform/ids/uuid.js';

const jobId = z.string().refine(isId, { error: 'it is no id of a job' });

export const jobBatchPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plan'), jobId }),
  z.object({ kind: z.literal('chunk'), jobId, chunk: z.int().min(0) }),
  z.object({ kind: z.literal('shape'), jobId }),
]);
export type JobBatchPayload = z.output<typeof jobBatchPayload>;

/** What there is to do for verification jobs: plan one, work on a chunk of one, shape the results of one. */
export const JOB_BATCH_QUEUE: WorkQueue<JobBatchPayload> = {
  name: 'job-batch',
  payload: jobBatchPayload,
  jobId: (payload) =>
    payload.kind === 'chunk' ? `chunk-${payload.jobId}-${payload.chunk}` : `${payload.kind}-${payload.jobId}`,
};
