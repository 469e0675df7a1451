import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { RefreshOutcome } from './refresh-lists.service.js';

/** Metrics of the task that fetches lists. */
@Injectable()
export class RefreshMetrics {
  private readonly refreshes: Counter<'list' | 'outcome'>;
  private readonly refusals: Counter<'list' | 'why'>;

  constructor({ registry }: Metrics) {
    this.refreshes = new Counter({
      name: 'mailvet_list_refreshes_total',
      help: 'Lists that were fetched and taken: changed, unchanged',
      labelNames: ['list', 'outcome'],
      registers: [registry],
    });
    this.refusals = new Counter({
      name: 'mailvet_list_refusals_total',
      help: 'Lists that could not be fetched or were not taken, by why',
      labelNames: ['list', 'why'],
      registers: [registry],
    });
  }

  count(outcome: RefreshOutcome): void {
    if (outcome.outcome === 'refused') this.refusals.inc({ list: outcome.name, why: outcome.why });
    else if (outcome.outcome !== 'waiting') this.refreshes.inc({ list: outcome.name, outcome: outcome.outcome });
  }
}
