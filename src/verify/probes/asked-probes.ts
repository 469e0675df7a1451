import type { LateChargesRepository } from './late-charges.repository.js';
import type { PendingProbesRepository } from './pending-probes.repository.js';
import type { QueuedProbe, SmtpProbeProducer } from './smtp-probe.queue.js';

export interface AskedProbesParts {
  readonly pending: Pick<PendingProbesRepository, 'dropUnpaid'>;
  readonly lateCharges: Pick<LateChargesRepository, 'settle'>;
  readonly queue: Pick<SmtpProbeProducer, 'queueProbes'>;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** A probe that a call has asked for. */
export interface AskedProbe extends QueuedProbe {
  readonly id: string;
}

const UNPAID = 'unpaid probes could not be dropped';
const LATE = 'charges whose probes may have ended before them are settled later';

/** Queues the probes of a call that was charged. One may have ended before the charge was committed: settles that too. */
export function queuePaidProbes(
  { queue, lateCharges, onTrouble }: AskedProbesParts,
  probes: readonly AskedProbe[],
): void {
  if (probes.length === 0) return;
  queue.queueProbes(probes.map(({ id: _id, ...probe }) => probe));
  lateCharges.settle(probes.map(({ id }) => id)).catch((error: unknown) => onTrouble(LATE, error));
}

/** Drops the probes of a call that was not charged. */
export function dropUnpaidProbes({ pending, onTrouble }: AskedProbesParts, ids: readonly string[]): void {
  if (ids.length === 0) return;
  pending.dropUnpaid(ids).catch((error: unknown) => onTrouble(UNPAID, error));
}
