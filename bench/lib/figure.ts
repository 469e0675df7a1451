import { writeFileSync } from 'node:fs';

/** One row of the table: a measurement and its baseline from the same rounds. */
export interface Figure {
  readonly what: string;
  readonly unit: 'rows' | 'ms' | 'µs' | '/s' | 'MB' | 'files';
  /** One value per round. */
  readonly rounds: readonly number[];
  readonly baseline: { readonly what: string; readonly rounds: readonly number[] };
  /** The bench fails if the median exceeds it. */
  readonly atMost?: number;
  /** Lower or upper target of the median ratio, or both; the table shows whether it is met. */
  readonly target?: { readonly atLeast?: number; readonly atMost?: number };
}

/** Passes the figures of this process to `npm run bench`, or prints them if it was started by hand. */
export function report(figures: readonly Figure[]): void {
  const file = process.env['BENCH_REPORT'];
  if (file === undefined) console.log(JSON.stringify(figures, null, 2));
  else writeFileSync(file, JSON.stringify(figures));
}
