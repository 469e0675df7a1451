import type { Counter } from 'prom-client';

/**
 * Shows a counter's series from the start, one for each combination of the label values: Prometheus sees no increase in a
 * series that begins at 1.
 */
export function startAtZero<L extends string>(
  counter: Counter<L>,
  values: Readonly<Record<L, readonly string[]>>,
): void {
  let series: Partial<Record<L, string>>[] = [{}];
  for (const label of Object.keys(values) as L[]) {
    series = series.flatMap((labels) => values[label].map((value) => ({ ...labels, [label]: value })));
  }
  for (const labels of series) counter.inc(labels, 0);
}
