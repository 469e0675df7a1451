import { Counter, Gauge, type Registry } from 'prom-client';
import type { EgressState } from '../../platform/egress/egress-state.js';
import { BoundedReading } from '../../platform/metrics/bounded-reading.js';
import type { PendingSummaryRepository } from './pending-summary.repository.js';
import type { TurnOutcome } from './probe.service.js';

/** Probes of the worker by how far they came. @returns to be called when one has ended */
export function countProbes(registry: Registry): (outcome: TurnOutcome) => void {
  const probes = new Counter({
    name: 'mailvet_probes_total',
    help: 'Probes by the furthest stage of SMTP and how they ended there',
    labelNames: ['stage', 'ending'],
    registers: [registry],
  });
  return ({ stage, ending }) => probes.inc({ stage, ending });
}

/** Pending probes by state. Left out, or not a number, while the database does not say. */
export function showPendingProbes(registry: Registry, summary: Pick<PendingSummaryRepository, 'read'>): void {
  const registers = [registry];
  const reading = new BoundedReading(() => summary.read());
  const probes = new Gauge({
    name: 'mailvet_pending_probes',
    help: 'Deferred probes that have not ended, by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const read = await reading.read();
      probes.reset();
      if (read === null) return;
      probes.set({ state: 'due' }, read.due);
      probes.set({ state: 'greylisted' }, read.greylisted);
    },
  });
  const oldest = new Gauge({
    name: 'mailvet_pending_probes_oldest_due_seconds',
    help: 'How long the deferred probe has waited whose turn should have come first',
    registers,
    async collect() {
      oldest.set((await reading.read())?.oldestDueSeconds ?? Number.NaN);
    },
  });
}

/** The ways out. Only what was found out has a value. */
export function showEgress(registry: Registry, states: () => readonly EgressState[]): void {
  const registers = [registry];
  const port = new Gauge({
    name: 'mailvet_egress_port_open',
    help: 'Whether mail hosts can be reached by a way out: 1 yes, 0 no',
    labelNames: ['helo_name'],
    registers,
    collect() {
      port.reset();
      for (const { heloName, port: verdict } of states()) {
        if (verdict !== 'unknown') port.set({ helo_name: heloName }, Number(verdict === 'open'));
      }
    },
  });
  const failing = new Gauge({
    name: 'mailvet_egress_failing',
    help: 'Whether a way out fails by its own fault, time after time: 1 yes, 0 no',
    labelNames: ['helo_name'],
    registers,
    collect() {
      failing.reset();
      for (const state of states()) failing.set({ helo_name: state.heloName }, Number(state.failing));
    },
  });
}
