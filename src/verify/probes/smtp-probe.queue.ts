import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Matches } from 'class-validator';
import { QueueConnection } from '../../platform/queues/queue-connection.js';
import { QueueProducer, type Queue } from '../../platform/queues/queue-producer.js';
import type { Addition, WorkQueue } from '../../platform/queues/work-queue.js';
import type { Urgency } from './pending-probe.js';

export class SmtpProbePayload {
  /** Of the address, in hexadecimal. */
  @Matches(/^[0-9a-f]{64}$/)
  readonly hash!: string;
}

/** Deferred probes: one job per address, however often it is asked for. The row in `pending_probes` is the truth. */
export const SMTP_PROBE_QUEUE: WorkQueue<SmtpProbePayload> = {
  name: 'smtp-probe',
  payload: SmtpProbePayload,
  jobId: ({ hash }) => `probe-${hash}`,
};

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
@Injectable()
export class SmtpProbeProducer extends QueueProducer<SmtpProbePayload> {
  constructor(@InjectQueue(SMTP_PROBE_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(SMTP_PROBE_QUEUE, queue, connection);
  }

  /**
   * Returns at once, never throws and never waits for Redis: what it does not take the reconciler puts there within seconds.
   * Accounts take turns, and of each of them singles and batches. A job that is there already is kept, and takes the turn of
   * whoever asks where that one comes earlier.
   * @param overdue by the clock of MySQL: what is there still, and waits (by a clock that went wrong), waits no longer
   */
  add(probes: readonly QueuedProbe[], overdue = false): void {
    this.enqueue(probes.map((probe) => toAddition(probe, overdue)));
  }
}

export function toAddition(probe: QueuedProbe, overdue: boolean): Addition<SmtpProbePayload> {
  const { hash, urgency, accountId = '', delayMs = 0, requestId } = probe;
  return {
    payload: { hash },
    priority: { flow: `${accountId}:${urgency}` },
    delayMs,
    ...(requestId !== undefined && { requestId }),
    hasten: overdue || (urgency === 'single' && delayMs === 0),
  };
}
