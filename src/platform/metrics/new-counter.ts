import { Counter, type Registry } from 'prom-client';

/**
 * Makes a counter and shows its series from the start, one for each combination of the label values: Prometheus sees no
 * increase in a series that begins at 1.
 * @param values known ones of each label; none where they are not known before they are counted
 */
export function newCounter<L extends string>(
  registry: Registry,
  name: string,
  help: string,
  values: Readonly<Record<L, readonly string[]>>,
): Counter<L> {
  const labelNames = Object.keys(values) as L[];
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  let series: Partial<Record<L, string>>[] = [{}];
  for (const label of labelNames) {
    series = series.flatMap((labels) => values[label].map((value) => ({ ...labels, [label]: value })));
  }
  for (const labels of series) counter.inc(labels, 0);
  return counter;
}
