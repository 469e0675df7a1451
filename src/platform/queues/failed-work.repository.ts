import type { EntityManager } from 'typeorm';
import type { QueueName } from '../config/queue-names.js';

/** A feature's access to failed jobs of its queue. */
export interface FailedWork {
  readonly queue: QueueName;
  /**
   * Makes the failed job's work due again, so that its queue's reconciler picks it up within seconds.
   * @returns null, or one line for operators that says why it can't be retried
   */
  makeDueWithin(transaction: EntityManager, jobId: string): Promise<string | null>;
}
