import { Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { SHIPPED_LISTS } from '../../engine/signals/shipped-lists.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { SignalListsProvider } from './signal-lists-provider.js';

/** Metrics of the lists that this process uses. */
@Injectable()
export class ListMetrics {
  constructor({ registry }: Metrics, lists: SignalListsProvider) {
    showFetched(registry, lists);
    showShipped(registry);
  }
}

function showFetched(registry: Registry, host: SignalListsProvider): void {
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
}

function showShipped(registry: Registry): void {
  const shipped = new Gauge({
    name: 'mailvet_shipped_list_age_seconds',
    help: 'Time since the oldest part of a shipped list was published',
    labelNames: ['list'],
    registers: [registry],
    collect() {
      // The newest first, so that the oldest stays.
      for (const { list, dated } of SHIPPED_LISTS.toSorted((one, other) => (one.dated < other.dated ? 1 : -1)))
        shipped.set({ list }, Math.round((Date.now() - Date.parse(dated)) / 1000));
    },
  });
}
