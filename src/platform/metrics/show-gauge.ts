import { Gauge, type Registry } from 'prom-client';
import type { Description, Labels } from './bound-metric.js';

/** Registers a gauge that reads its figure at each scrape. Null: it has no value. */
export function showFigure(
  registry: Registry,
  name: string,
  help: string,
  read: () => number | null | Promise<number | null>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const figure = await read();
      if (figure === null) gauge.remove();
      else gauge.set(figure);
    },
  });
}

type Figures<L extends string> = readonly (readonly [labels: Labels<L>, figure: number])[];

/** Registers a gauge that reads all of its figures at each scrape: labels that are left out have no value. */
export function showFigures<L extends string>(
  registry: Registry,
  { name, help, labelNames }: Description<L>,
  read: () => Figures<L> | Promise<Figures<L>>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const figures = await read();
      gauge.reset();
      for (const [labels, figure] of figures) gauge.set(labels, figure);
    },
  });
}
