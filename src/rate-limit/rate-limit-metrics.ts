import { Counter, Gauge, type Registry } from 'prom-client';
import type { Buckets } from './buckets.js';
import type { Refusal } from './rate-limit.gate.js';

/** @returns to be called with why a request was not let in */
export function countRefusals(registry: Registry): (why: Refusal) => void {
  const refusals = new Counter({
    name: 'mailvet_refused_requests_total',
    help: 'Requests that were not let in: malformed_key, unknown_key, limit (of a key), address (too many unknown keys), outage',
    labelNames: ['why'],
    registers: [registry],
  });
  return (why) => refusals.inc({ why });
}

export function showOutage(registry: Registry, buckets: Pick<Buckets, 'outageMs'>): void {
  const outage = new Gauge({
    name: 'mailvet_rate_limit_outage_seconds',
    help: 'For how long Redis has not kept the rate limits; 0 while it does',
    registers: [registry],
    collect() {
      outage.set((buckets.outageMs ?? 0) / 1000);
    },
  });
}
