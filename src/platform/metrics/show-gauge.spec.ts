import { Registry } from 'prom-client';
import { showFigure, showFigures } from './show-gauge.js';

it('shows a figure as it is at each scrape', async () => {
  const registry = new Registry();
  let figure: number | null = 3;
  showFigure(registry, 'waiting', 'Who waits', async () => figure);
  expect(await registry.metrics()).toMatch(/^waiting 3$/m);
  figure = null;
  expect(await registry.metrics()).not.toMatch(/^waiting /m);
  figure = 0;
  expect(await registry.metrics()).toMatch(/^waiting 0$/m);
});

it('shows figures by their labels, and no longer those that are gone', async () => {
  const registry = new Registry();
  const figures = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  showFigures(registry, 'jobs', 'Jobs', ['queue'], () =>
    [...figures].map(([queue, count]) => [{ queue }, count] as const),
  );
  expect(await registry.metrics()).toContain('jobs{queue="a"} 1\njobs{queue="b"} 2\n');
  figures.delete('a');
  expect(await registry.metrics()).not.toContain('queue="a"');
});
