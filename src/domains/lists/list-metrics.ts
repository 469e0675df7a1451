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
  const entries = 'Entries of lists that were fetched and are in force';
  showFigures(registry, 'mailvet_list_entries', entries, ['list'], () =>
    host.states.map((state) => [{ list: state.name }, state.entries]),
  );
  const age = 'Time since the source of a fetched list last had what is in force';
  showFigures(registry, 'mailvet_list_age_seconds', age, ['list'], () =>
    host.states.map(({ name, ageSeconds }) => [{ list: name }, Math.round(ageSeconds)]),
  );
}

function showShipped(registry: Registry): void {
  const help = 'Time since the oldest part of a shipped list was published';
  // The newest first, so that the oldest stays.
  const shipped = SHIPPED_LISTS.toSorted((one, other) => (one.dated < other.dated ? 1 : -1));
  showFigures(registry, 'mailvet_shipped_list_age_seconds', help, ['list'], () =>
    shipped.map(({ list, dated }) => [{ list }, Math.round((Date.now() - Date.parse(dated)) / 1000)]),
  );
}
