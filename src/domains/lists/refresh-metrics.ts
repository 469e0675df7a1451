import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { RefreshOutcome } from './refresh-lists.service.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

/** Metrics of the task that fetches lists. */
@Injectable()
export class RefreshMetrics {
  private readonly refreshes: Counter<'list' | 'outcome'>;
  private readonly refusals: Counter<'list' | 'why'>;

  constructor({ registry }: Metrics) {
    const refreshes = 'Lists that were fetched and taken: changed, unchanged';
    this.refreshes = newCounter(registry, 'mailvet_list_refreshes_total', refreshes, { list: [], outcome: [] });
    const refusals = 'Lists that could not be fetched or were not taken, by why';
    this.refusals = newCounter(registry, 'mailvet_list_refusals_total', refusals, { list: [], why: [] });
  }

  count(outcome: RefreshOutcome): void {
    if (outcome.outcome === 'refused') this.refusals.inc({ list: outcome.name, why: outcome.why });
    else if (outcome.outcome !== 'waiting') this.refreshes.inc({ list: outcome.name, outcome: outcome.outcome });
  }
}
