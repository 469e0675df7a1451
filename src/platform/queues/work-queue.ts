import type { Type } from '@nestjs/common';
import type { QueueName } from '../config/queue-names.js';

/**
 * The contract between both sides of a queue; each queue has one file. A job is only a nudge: MySQL records the work
 * and its attempts, so that Redis may lose all data at any moment. Finished jobs are removed.
 */
export interface WorkQueue<P extends object> {
  readonly name: QueueName;
  /** A class whose properties have class-validator rules. */
  readonly payload: Type<P>;
  /**
   * A business key: adding a job twice has no effect while the first is queued.
   * @returns contains no `:` and is no integer
   */
  readonly jobId: (payload: P) => string;
}

/** A job to add to a queue. */
export interface Addition<P> {
  readonly payload: P;
  /** 1 is served first; at most 2,097,152. Jobs of a flow take turns with those of other flows instead. */
  readonly priority: number | { readonly flow: string };
  readonly delayMs?: number;
  /** Gives a queued job this priority, and makes it due now. A job of a flow gets a better place in any case. */
  readonly hasten?: boolean;
  /** The request that added the job, for the worker's log. A job that adds others passes it on. */
  readonly requestId?: string | undefined;
}

/** The result of one run: `over`, or `again` after this many milliseconds. */
export type JobEnding = { readonly kind: 'over' } | { readonly kind: 'again'; readonly afterMs: number };

export const OVER: JobEnding = { kind: 'over' };
