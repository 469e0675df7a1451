import { Injectable, Logger } from '@nestjs/common';
import { LateChargesRepository } from './late-charges.repository.js';
import type { WantedProbe } from './pending-probe.js';
import { PendingProbesRepository } from './pending-probes.repository.js';
import { SmtpProbeProducer, type QueuedProbe } from './smtp-probe.queue.js';

/** A probe that a call has asked for. */
export interface AskedProbe extends QueuedProbe {
  readonly id: string;
}

/** Probes that calls ask of the worker: added before the call is charged, queued or dropped afterwards, in the background. */
@Injectable()
export class AskedProbes {
  private readonly logger = new Logger('Verify');

  constructor(
    private readonly pending: PendingProbesRepository,
    private readonly lateCharges: LateChargesRepository,
    private readonly producer: SmtpProbeProducer,
  ) {}

  /** @returns one probe per request, in order */
  add(wanted: readonly WantedProbe[]): ReturnType<PendingProbesRepository['addProbes']> {
    return this.pending.addProbes(wanted);
  }

  /** Queues the probes of a call that was charged. One may have ended before the charge was committed: settles that too. */
  queue(probes: readonly AskedProbe[]): void {
    if (probes.length === 0) return;
    this.producer.queueProbes(probes.map(({ id: _id, ...probe }) => probe));
    this.lateCharges.settle(probes.map(({ id }) => id)).catch((err: unknown) => {
      this.logger.error({ err }, 'charges whose probes may have ended before them are settled later');
    });
  }

  /** Drops the probes of a call that was not charged. */
  drop(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.pending.dropUnpaid(ids).catch((err: unknown) => {
      this.logger.error({ err }, 'unpaid probes could not be dropped');
    });
  }
}
