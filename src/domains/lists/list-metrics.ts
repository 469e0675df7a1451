import { Counter, Gauge, type Registry } from 'prom-client';
import { SHIPPED_LISTS } from '../../engine/signals/shipped-lists.js';
import type { RefreshOutcome } from './refresh-lists.service.js';
import type { SignalListsProvider } from './signal-lists-provider.js';

/** Of the lists that this process looks at. */
export function showLists(registry: Registry, host: Pick<SignalListsProvider, 'states'>): void {
  const registers = [registry];
  const labelNames = ['list'] as const;
  const entries = new Gauge({
    name: 'mailvet_list_entries',
    help: 'Entries of lists that were fetched and are in force',
    labelNames,
    registers,
    collect() {
      entries.reset();
      for (const state of host.states) entries.set({ list: state.name }, state.entries);
    },
  });
  const age = new Gauge({
    name: 'mailvet_list_age_seconds',
    help: 'Time since the source of a fetched list last had what is in force',
    labelNames,
    registers,
    collect() {
      age.reset();
      for (const { name, ageSeconds } of host.states) age.set({ list: name }, Math.round(ageSeconds));
    },
  });
  const shipped = new Gauge({
    name: 'mailvet_shipped_list_age_seconds',
    help: 'Time since the oldest part of a shipped list was published',
    labelNames,
    registers,
    collect() {
      // The newest first, so that the oldest stays.
      for (const { list, dated } of SHIPPED_LISTS.toSorted((one, other) => (one.dated < other.dated ? 1 : -1)))
        shipped.set({ list }, Math.round((Date.now() - Date.parse(dated)) / 1000));
    },
  });
}

/** @returns to be called with what came of a list */
export function countRefreshes(registry: Registry): (outcome: RefreshOutcome) => void {
  const refreshes = new Counter({
    name: 'mailvet_list_refreshes_total',
    help: 'Lists that were fetched and taken: changed, unchanged',
    labelNames: ['list', 'outcome'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'mailvet_list_refusals_total',
    help: 'Lists that could not be fetched or were not taken, by why',
    labelNames: ['list', 'why'],
    registers: [registry],
  });
  return (outcome) => {
    if (outcome.outcome === 'refused') refusals.inc({ list: outcome.name, why: outcome.why });
    else if (outcome.outcome !== 'waiting') refreshes.inc({ list: outcome.name, outcome: outcome.outcome });
  };
}
