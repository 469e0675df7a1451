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

/** A chunk that is, or will be, to be worked on. */
export interface QueuedChunk {
  readonly jobId: string;
  readonly number: number;
  /** 1 is served first. */
  readonly priority: number;
  readonly delayMs?: number;
}

/** What nothing was heard of for too long: it is on the queue no more, or waits there by a clock that went wrong. */
export interface OverdueWork {
  readonly chunks: readonly QueuedChunk[];
  /** Ids of jobs. */
  readonly toPlan: readonly string[];
  readonly toShape: readonly string[];
}

/** What a job waits for as a whole is short, and goes before chunks. */
const FIRST = 1;

/**
 * Tells workers of jobs. The rows must stand in MySQL before. Everything returns at once, never throws and never waits for
 * Redis: what it does not take a reconciler puts there within seconds.
 */
@Injectable()
export class JobBatchProducer extends QueueProducer<JobBatchPayload> {
  constructor(@InjectQueue(JOB_BATCH_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(JOB_BATCH_QUEUE, queue, connection);
  }

  /** A job was submitted. @param requestId of the call, for the worker's log */
  plan(jobId: string, requestId?: string): void {
    const asked = requestId === undefined ? {} : { requestId };
    this.enqueue([{ ...planOf(jobId), ...asked }]);
  }

  chunks(chunks: readonly QueuedChunk[]): void {
    this.enqueue(chunks.map((chunk) => ({ ...chunkOf(chunk), delayMs: chunk.delayMs ?? 0 })));
  }

  /** Every entry of a job has its outcome. */
  shape(jobId: string): void {
    this.enqueue([shapeOf(jobId)]);
  }

  /** Puts it there again. What is there still, and waits, waits no longer: that it is due is what MySQL says. */
  again(work: OverdueWork): void {
    this.enqueue(toAdditions(work));
  }
}

type Work = Addition<JobBatchPayload>;

export function toAdditions({ chunks, toPlan, toShape }: OverdueWork): readonly Work[] {
  const work = [...chunks.map(chunkOf), ...toPlan.map(planOf), ...toShape.map(shapeOf)];
  return work.map((addition) => ({ ...addition, hasten: true }));
}

function planOf(jobId: string): Work {
  return { payload: { kind: 'plan', jobId }, priority: FIRST };
}

function chunkOf({ jobId, number, priority }: QueuedChunk): Work {
  return { payload: { kind: 'chunk', jobId, chunk: number }, priority };
}

function shapeOf(jobId: string): Work {
  return { payload: { kind: 'shape', jobId }, priority: FIRST };
}
