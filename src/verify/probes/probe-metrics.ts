import { Counter, type Registry } from 'prom-client';
import { showFigure, showFigures } from '../../platform/metrics/show-gauge.js';
import { BoundedReading } from '../../platform/metrics-endpoint/bounded-reading.js';
import type { PendingSummaryRepository } from './pending-summary.repository.js';
import type { TurnOutcome } from './probe.service.js';

/** Counts attempts by outcome. @returns a function to call when an attempt ends */
export function countTurns(registry: Registry): (outcome: TurnOutcome) => void {
  const turns = new Counter({
    name: 'mailvet_pending_probe_turns_total',
    help: 'Turns of deferred probes by the furthest stage of SMTP and how it ended there; none: no mail host was asked',
    labelNames: ['stage', 'ending'],
    registers: [registry],
  });
  return ({ stage, ending }) => turns.inc({ stage, ending });
}

/** Shows pending probes by state. No value, or NaN, while the database does not answer. */
export function showPendingProbes(registry: Registry, summary: Pick<PendingSummaryRepository, 'read'>): void {
  const reading = new BoundedReading(() => summary.read());
  const probes = {
    name: 'mailvet_pending_probes',
    help: 'Deferred probes that have not ended, by state',
    labelNames: ['state'] as const,
  };
  showFigures(registry, probes, async () => {
    const read = await reading.read();
    if (read === null) return [];
    return [
      [{ state: 'due' }, read.due],
      [{ state: 'greylisted' }, read.greylisted],
    ];
  });
  showFigure(
    registry,
    'mailvet_pending_probes_oldest_due_seconds',
    'How long the deferred probe has waited whose turn should have come first',
    async () => (await reading.read())?.oldestDueSeconds ?? Number.NaN,
  );
}
