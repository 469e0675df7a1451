import type { EntityManager } from 'typeorm';
import type { QueueName } from '../config/queue-names.js';

/** What a feature knows of failed jobs of its queue. */
export interface FailedWork {
  readonly queue: QueueName;
  /**
   * Makes what a failed job was about due again, so that the reconciler of its queue takes it up within seconds.
   * @returns null, or why it can't be retried, in one line for operators
   */
  makeDueWithin(transaction: EntityManager, jobId: string): Promise<string | null>;
}
