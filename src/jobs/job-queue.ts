import type { QueueProducer } from '../platform/queues/queue-producer.js';
import type { JobBatchPayload } from './job-batch.queue.js';

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
export class JobQueue {
  constructor(private readonly producer: Pick<QueueProducer<JobBatchPayload>, 'add'>) {}

  /** A job was submitted. @param requestId of the call, for the worker's log */
  plan(jobId: string, requestId?: string): void {
    const asked = requestId === undefined ? {} : { requestId };
    this.producer.add([{ payload: { kind: 'plan', jobId }, priority: FIRST, ...asked }]);
  }

  chunks(chunks: readonly QueuedChunk[]): void {
    this.producer.add(
      chunks.map(({ jobId, number, priority, delayMs = 0 }) => ({
        payload: { kind: 'chunk', jobId, chunk: number },
        priority,
        delayMs,
      })),
    );
  }

  /** Every entry of a job has its outcome. */
  shape(jobId: string): void {
    this.producer.add([{ payload: { kind: 'shape', jobId }, priority: FIRST }]);
  }

  /** Puts it there again. What is there still, and waits, waits no longer: that it is due is what MySQL says. */
  again({ chunks, toPlan, toShape }: OverdueWork): void {
    const hasten = true;
    this.producer.add([
      ...chunks.map(
        ({ jobId, number, priority }) =>
          ({ payload: { kind: 'chunk', jobId, chunk: number }, priority, hasten }) as const,
      ),
      ...toPlan.map((jobId) => ({ payload: { kind: 'plan', jobId }, priority: FIRST, hasten }) as const),
      ...toShape.map((jobId) => ({ payload: { kind: 'shape', jobId }, priority: FIRST, hasten }) as const),
    ]);
  }
}
