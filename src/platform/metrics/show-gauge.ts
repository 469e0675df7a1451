import { Gauge, type Registry } from 'prom-client';

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

/** Label values by name. Few values, and never an address, a domain, a key or an account. */
type Labels<L extends string> = Readonly<Record<L, string | number>>;
type Figures<L extends string> = readonly (readonly [labels: Labels<L>, figure: number])[];

/** Registers a gauge that reads all of its figures at each scrape: labels that are left out have no value. */
export function showFigures<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly L[],
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
