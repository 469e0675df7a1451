import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics.js';
import { showFigure } from '../platform/metrics/show-gauge.js';
import { newCounter } from '../platform/metrics/new-counter.js';
import { Buckets } from './buckets.js';

const REFUSALS = ['malformed_key', 'unknown_key', 'limit', 'address', 'outage'] as const;
/** Why the gate refused a request: `limit` is the key's rate, `address` the rate of unknown keys from one network. */
export type Refusal = (typeof REFUSALS)[number];

@Injectable()
export class RateLimitMetrics {
  private readonly refusals: Counter<'why'>;

  constructor({ registry }: Metrics, buckets: Buckets) {
    const refusals =
      'Requests that were not let in: malformed_key, unknown_key, limit (of a key), address (too many unknown keys), outage';
    this.refusals = newCounter(registry, 'mailvet_refused_requests_total', refusals, { why: REFUSALS });
    showFigure(
      registry,
      'mailvet_rate_limit_outage_seconds',
      'For how long Redis has not kept the rate limits; 0 while it does',
      () => (buckets.outageMs ?? 0) / 1000,
    );
  }

  countRefusal(why: Refusal): void {
    this.refusals.inc({ why });
  }
}
