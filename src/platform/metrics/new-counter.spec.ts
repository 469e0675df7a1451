import { Registry } from 'prom-client';
import { newCounter } from './new-counter.js';

it('shows every combination of the label values at 0', async () => {
  const labels = { queue: ['a', 'b'], outcome: ['over', 'failed'] };
  const { values } = await newCounter(new Registry(), 'runs_total', 'Runs', labels).get();
  expect(values).toEqual([
    { labels: { queue: 'a', outcome: 'over' }, value: 0 },
    { labels: { queue: 'a', outcome: 'failed' }, value: 0 },
    { labels: { queue: 'b', outcome: 'over' }, value: 0 },
    { labels: { queue: 'b', outcome: 'failed' }, value: 0 },
  ]);
});

it('shows nothing at 0 where the values of a label are not known before', async () => {
  const registry = new Registry();
  const counter = newCounter(registry, 'runs_total', 'Runs', { queue: ['a', 'b'], outcome: [] });
  expect((await counter.get()).values).toEqual([]);
  counter.inc({ queue: 'a', outcome: 'over' });
  expect(await registry.metrics()).toContain('runs_total{queue="a",outcome="over"} 1');
});
