import { Injectable } from '@nestjs/common';
import type { Counter, Registry } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import { showFigure, showFigures } from '../../platform/metrics/show-gauge.js';
import { BoundedReading } from '../../platform/metrics-endpoint/bounded-reading.js';
import { PendingSummaryRepository } from './pending-summary.repository.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

/** The outcome of an attempt: the SMTP stage and how it ended there, or what prevented it from asking. */
export interface TurnOutcome {
  readonly stage: string;
  readonly ending: string;
}

/** Counts attempts by outcome, and shows what is pending. */
@Injectable()
export class ProbeMetrics {
  private readonly turns: Counter<'stage' | 'ending'>;

  constructor({ registry }: Metrics, summary: PendingSummaryRepository) {
    const turns =
      'Turns of deferred probes by the furthest stage of SMTP and how it ended there; none: no mail host was asked';
    this.turns = newCounter(registry, 'mailvet_pending_probe_turns_total', turns, { stage: [], ending: [] });
    showPendingProbes(registry, summary);
  }

  onTurn({ stage, ending }: TurnOutcome): void {
    this.turns.inc({ stage, ending });
  }
}

/** Shows pending probes by state. No value, or NaN, while the database does not answer. */
function showPendingProbes(registry: Registry, summary: PendingSummaryRepository): void {
  const reading = new BoundedReading(() => summary.read());
  const probes = 'Deferred probes that have not ended, by state';
  showFigures(registry, 'mailvet_pending_probes', probes, ['state'], async () => {
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
