import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { SHIPPED_LISTS } from '../../engine/signals/shipped-lists.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { showFigures } from '../../platform/metrics/show-gauge.js';
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
  const labelNames = ['list'] as const;
  const entries = {
    name: 'mailvet_list_entries',
    help: 'Entries of lists that were fetched and are in force',
    labelNames,
  };
  showFigures(registry, entries, () => host.states.map((state) => [{ list: state.name }, state.entries]));
  const age = {
    name: 'mailvet_list_age_seconds',
    help: 'Time since the source of a fetched list last had what is in force',
    labelNames,
  };
  showFigures(registry, age, () => host.states.map(({ name, ageSeconds }) => [{ list: name }, Math.round(ageSeconds)]));
}

function showShipped(registry: Registry): void {
  const description = {
    name: 'mailvet_shipped_list_age_seconds',
    help: 'Time since the oldest part of a shipped list was published',
    labelNames: ['list'] as const,
  };
  // The newest first, so that the oldest stays.
  const shipped = SHIPPED_LISTS.toSorted((one, other) => (one.dated < other.dated ? 1 : -1));
  showFigures(registry, description, () =>
    shipped.map(({ list, dated }) => [{ list }, Math.round((Date.now() - Date.parse(dated)) / 1000)]),
  );
}
