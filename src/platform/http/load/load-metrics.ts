import { Counter, type Registry } from 'prom-client';
import { showFigure } from '../../metrics/show-gauge.js';
import type { BodiesInFlight } from '../body/bodies-in-flight.js';
import type { Overload } from './overload.js';

/** Registers metrics of load and of requests refused for it. */
export function showLoad(registry: Registry, overload: Overload, bodies: BodiesInFlight): void {
  showFigure(
    registry,
    'mailvet_requests_in_flight',
    'Requests that are being answered, without those to health',
    () => {
      return overload.requests;
    },
  );
  showFigure(registry, 'mailvet_large_bodies_bytes', 'Memory that is counted for large bodies in flight', () => {
    return bodies.octets;
  });
  showRefusals(
    registry,
    'mailvet_overload_refusals_total',
    'Requests that were refused before anything else: lag (of the event loop), requests (too many in flight)',
    'why',
    () => overload.refused,
  );
  showRefusals(
    registry,
    'mailvet_refused_bodies_total',
    'Large bodies that were refused, by whose bound was reached: account, process',
    'bound',
    () => bodies.refused,
  );
}

/** Registers a counter, by one label, of values counted elsewhere. */
export function showRefusals(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<string, number>>,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [value, count] of Object.entries(read())) counter.inc({ [label]: value }, count);
    },
  });
}
