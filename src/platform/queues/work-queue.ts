import type { Type } from '@nestjs/common';
import type { QueueName } from '../config/queue-names.js';

/**
 * What both sides of a queue agree on; one file per queue holds it. A job is only a nudge: what is to be done, and how often
 * it was tried, stands in MySQL, so that Redis may be emptied at any moment. Jobs are removed when they end.
 */
export interface WorkQueue<P extends object> {
  readonly name: QueueName;
  /** A class whose properties have the rules of class-validator. */
  readonly payload: Type<P>;
  /**
   * A business key, so that adding twice is adding once while the first is there.
   * @returns no `:` in it, and no integer
   */
  readonly jobId: (payload: P) => string;
}

/** A job to be put on a queue. */
export interface Addition<P> {
  readonly payload: P;
  /** 1 is served first; at most 2,097,152. Jobs of a flow take turns with those of others instead. */
  readonly priority: number | { readonly flow: string };
  readonly delayMs?: number;
  /** A job that is there already is to be served with this priority, and now. One of a flow gets a better place in any case. */
  readonly hasten?: boolean;
  /** Of the request that asked for it, for the worker's log. A job that puts others on a queue hands its own on. */
  readonly requestId?: string | undefined;
}

/** What one run of a job came to: it is over, or is to be run again after so many milliseconds. */
export type JobEnding = { readonly kind: 'over' } | { readonly kind: 'again'; readonly afterMs: number };

export const OVER: JobEnding = { kind: 'over' };
