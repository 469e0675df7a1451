import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { IsIn, IsInt, Min, ValidateIf } from 'class-validator';
import { QueueConnection } from '../platform/queues/queue-connection.js';
import { QueueProducer, type Queue } from '../platform/queues/queue-producer.js';
import type { Addition, WorkQueue } from '../platform/queues/work-queue.js';
import { IsId } from '../platform/validation/is-id.js';

const KINDS = ['plan', 'chunk', 'shape'] as const;

export class JobBatchPayload {
  @IsIn(KINDS)
  readonly kind!: (typeof KINDS)[number];

  @IsId()
  readonly jobId!: string;

  /** Number within the job; only a `chunk` has it. */
  @ValidateIf(({ kind }: JobBatchPayload) => kind === 'chunk')
  @IsInt()
  @Min(0)
  readonly chunk?: number;
}

/** Queue of verification jobs: plan a job, run a chunk, write a job's results. */
export const JOB_BATCH_QUEUE: WorkQueue<JobBatchPayload> = {
  name: 'job-batch',
  payload: JobBatchPayload,
  jobId: (payload) =>
    payload.kind === 'chunk' ? `chunk-${payload.jobId}-${payload.chunk}` : `${payload.kind}-${payload.jobId}`,
};

/** A chunk that is queued or will be. */
export interface QueuedChunk {
  readonly jobId: string;
  readonly number: number;
  /** 1 is served first. */
  readonly priority: number;
  readonly delayMs?: number;
}

/** Work that was silent for too long: it is missing from the queue, or delayed there by a wrong clock. */
export interface OverdueWork {
  readonly chunks: readonly QueuedChunk[];
  /** Ids of jobs. */
  readonly toPlan: readonly string[];
  readonly toWrite: readonly string[];
}

/** Priority of planning and result writing: both are short, and go before chunks. */
const FIRST = 1;

/**
 * Queues work of jobs. The rows must be in MySQL first. Every method returns at once, never throws and never waits for
 * Redis; the reconciler queues lost work again within seconds.
 */
@Injectable()
export class JobBatchProducer extends QueueProducer<JobBatchPayload> {
  constructor(@InjectQueue(JOB_BATCH_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(JOB_BATCH_QUEUE, queue, connection);
  }

  /** Queues a submitted job for planning. @param requestId of the call, for the worker's log */
  queuePlanning(jobId: string, requestId?: string): void {
    const asked = requestId === undefined ? {} : { requestId };
    this.enqueue([{ ...planOf(jobId), ...asked }]);
  }

  queueChunks(chunks: readonly QueuedChunk[]): void {
    this.enqueue(chunks.map((chunk) => ({ ...chunkOf(chunk), delayMs: chunk.delayMs ?? 0 })));
  }

  /** Queues a job for its results: every entry has its outcome. */
  queueResultWriting(jobId: string): void {
    this.enqueue([resultWritingOf(jobId)]);
  }

  /**
   * Queues overdue work again. Work that is still delayed in the queue starts at once, because MySQL says that it is
   * due.
   */
  requeue(work: OverdueWork): void {
    this.enqueue(toAdditions(work));
  }
}

type Work = Addition<JobBatchPayload>;

export function toAdditions({ chunks, toPlan, toWrite }: OverdueWork): readonly Work[] {
  const work = [...chunks.map(chunkOf), ...toPlan.map(planOf), ...toWrite.map(resultWritingOf)];
  return work.map((addition) => ({ ...addition, hasten: true }));
}

function planOf(jobId: string): Work {
  return { payload: { kind: 'plan', jobId }, priority: FIRST };
}

function chunkOf({ jobId, number, priority }: QueuedChunk): Work {
  return { payload: { kind: 'chunk', jobId, chunk: number }, priority };
}

function resultWritingOf(jobId: string): Work {
  return { payload: { kind: 'shape', jobId }, priority: FIRST };
}
