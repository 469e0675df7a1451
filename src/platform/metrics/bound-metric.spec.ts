import { Histogram, Counter, Registry } from 'prom-client';
import { BoundCounter, BoundHistogram } from './bound-metric.js';

const BOUNDS = [0.1, 1, 10];

it("exports the same as prom-client's counter", async () => {
  const ours = new Registry();
  const theirs = new Registry();
  const description = { name: 'requests_total', help: 'Requests', labelNames: ['route'] as const };
  const bound = new BoundCounter(ours, description.name, description.help, description.labelNames);
  const usual = new Counter({ ...description, registers: [theirs] });
  for (const route of ['/a', '/b "c"\n', '/a']) {
    bound.child(route).value += 1;
    usual.inc({ route });
  }
  expect(await ours.metrics()).toBe(await theirs.metrics());
});

it("exports the same as prom-client's histogram", async () => {
  const ours = new Registry();
  const theirs = new Registry();
  const description = { name: 'request_seconds', help: 'Seconds', labelNames: ['route'] as const };
  const bound = new BoundHistogram(ours, description.name, description.help, description.labelNames, BOUNDS);
  const usual = new Histogram({ ...description, buckets: BOUNDS, registers: [theirs] });
  for (const seconds of [0.05, 0.1, 0.11, 5, 10, 11]) {
    bound.child('/a').observe(seconds);
    usual.observe({ route: '/a' }, seconds);
  }
  const sorted = (text: string): string[] => text.split('\n').map(inOrder).sort();
  expect(sorted(await ours.metrics())).toEqual(sorted(await theirs.metrics()));
});

it('shares one child per set of labels', () => {
  const bound = new BoundCounter(new Registry(), 'requests_total', 'Requests', ['route']);
  expect(bound.child('/a')).toBe(bound.child('/a'));
  expect(bound.child('/a')).not.toBe(bound.child('/b'));
});

/** Labels have no order. */
function inOrder(line: string): string {
  return line.replace(/\{(.*)\}/, (_all, labels: string) => `{${labels.split(',').sort().join(',')}}`);
}
