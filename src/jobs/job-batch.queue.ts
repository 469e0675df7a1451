import { IsIn, IsInt, Min, ValidateIf } from 'class-validator';
import { isId } from '../platform/ids/uuid.js';
import { TextRule } from '../platform/queues/text-rule.js';
import type { WorkQueue } from '../platform/queues/work-queue.js';

const KINDS = ['plan', 'chunk', 'shape'] as const;

export class JobBatchPayload {
  @IsIn(KINDS)
  readonly kind!: (typeof KINDS)[number];

  @TextRule('the id of a job', isId)
  readonly jobId!: string;

  /** Its number within the job; only a `chunk` has it. */
  @ValidateIf(({ kind }: JobBatchPayload) => kind === 'chunk')
  @IsInt()
  @Min(0)
  readonly chunk?: number;
}

/** What there is to do for verification jobs: plan one, work on a chunk of one, shape the results of one. */
export const JOB_BATCH_QUEUE: WorkQueue<JobBatchPayload> = {
  name: 'job-batch',
  payload: JobBatchPayload,
  jobId: (payload) =>
    payload.kind === 'chunk' ? `chunk-${payload.jobId}-${payload.chunk}` : `${payload.kind}-${payload.jobId}`,
};
