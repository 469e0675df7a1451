import { Counter, Registry } from 'prom-client';
import { startAtZero } from './start-at-zero.js';

it('shows every combination of the label values at 0', async () => {
  const registers = [new Registry()];
  const counter = new Counter({ name: 'runs_total', help: 'Runs', labelNames: ['queue', 'outcome'], registers });
  startAtZero(counter, { queue: ['a', 'b'], outcome: ['over', 'failed'] });
  const { values } = await counter.get();
  expect(values).toEqual([
    { labels: { queue: 'a', outcome: 'over' }, value: 0 },
    { labels: { queue: 'a', outcome: 'failed' }, value: 0 },
    { labels: { queue: 'b', outcome: 'over' }, value: 0 },
    { labels: { queue: 'b', outcome: 'failed' }, value: 0 },
  ]);
});
