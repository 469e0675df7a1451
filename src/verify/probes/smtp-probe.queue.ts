import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { Matches } from 'class-validator';
import { QueueConnection } from '../../platform/queues/queue-connection.js';
import { QueueProducer, type Queue } from '../../platform/queues/queue-producer.js';
import type { Addition, WorkQueue } from '../../platform/queues/work-queue.js';
import type { Urgency } from './pending-probe.js';

export class SmtpProbePayload {
  /** Address hash, hexadecimal. */
  @Matches(/^[0-9a-f]{64}$/)
  readonly hash!: string;
}

/**
 * The queue of deferred probes: one job per address, however often it is requested. The row in `pending_probes` is the
 * source of truth.
 */
export const SMTP_PROBE_QUEUE: WorkQueue<SmtpProbePayload> = {
  name: 'smtp-probe',
  payload: SmtpProbePayload,
  jobId: ({ hash }) => `probe-${hash}`,
};

export interface QueuedProbe {
  readonly hash: string;
  readonly urgency: Urgency;
  /** The account whose share of the queue it uses; left out: unknown. */
  readonly accountId?: string | undefined;
  readonly delayMs?: number;
  /** Id of the request that caused it, for the worker's log. */
  readonly requestId?: string | undefined;
}

/** Queues pending probes for workers. Their rows must be in MySQL first. */
@Injectable()
export class SmtpProbeProducer extends QueueProducer<SmtpProbePayload> {
  constructor(@InjectQueue(SMTP_PROBE_QUEUE.name) queue: Queue, connection: QueueConnection) {
    super(SMTP_PROBE_QUEUE, queue, connection);
  }

  /**
   * Returns at once, never throws and never waits for Redis: if Redis does not take a job, the reconciler queues it
   * within seconds. Accounts alternate, and within each account singles and batches. An existing job is kept, and moves
   * to the requester's place in the queue if that comes earlier.
   * @param overdue due by MySQL's clock: a job that still waits (because of a wrong clock) waits no longer
   */
  queueProbes(probes: readonly QueuedProbe[], overdue = false): void {
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
