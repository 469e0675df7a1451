import type { QueueProducer } from '../../platform/queues/queue-producer.js';
import type { Urgency } from './pending-probe.js';
import type { SmtpProbePayload } from './smtp-probe.queue.js';

export interface QueuedProbe {
  readonly hash: string;
  readonly urgency: Urgency;
  /** The account whose turn it takes; left out: nobody knows. */
  readonly accountId?: string | undefined;
  readonly delayMs?: number;
  /** Of the call that asks for it, for the worker's log. */
  readonly requestId?: string | undefined;
}

/** Tells workers of pending probes. The rows must stand in MySQL before. */
export class ProbeQueue {
  constructor(private readonly producer: Pick<QueueProducer<SmtpProbePayload>, 'add'>) {}

  /**
   * Returns at once, never throws and never waits for Redis: what it does not take the reconciler puts there within seconds.
   * Accounts take turns, and of each of them singles and batches. A job that is there already is kept, and takes the turn of
   * whoever asks where that one comes earlier.
   * @param overdue by the clock of MySQL: what is there still, and waits (by a clock that went wrong), waits no longer
   */
  add(entries: readonly QueuedProbe[], overdue = false): void {
    this.producer.add(
      entries.map(({ hash, urgency, accountId = '', delayMs = 0, requestId }) => ({
        payload: { hash },
        priority: { flow: `${accountId}:${urgency}` },
        delayMs,
        ...(requestId !== undefined && { requestId }),
        hasten: overdue || (urgency === 'single' && delayMs === 0),
      })),
    );
  }
}
