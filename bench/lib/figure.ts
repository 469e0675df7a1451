import { writeFileSync } from 'node:fs';

/** One line of the table: what was measured, beside what it is to be compared with, from the same rounds. */
export interface Figure {
  readonly what: string;
  readonly unit: 'ms' | 'µs' | '/s' | 'MB' | 'files';
  /** One value for each round. */
  readonly rounds: readonly number[];
  readonly baseline: { readonly what: string; readonly rounds: readonly number[] };
  /** A median above it fails the bench. */
  readonly atMost?: number;
  /** What the median ratio is to reach, to stay under, or both: the table says whether it does. */
  readonly target?: { readonly atLeast?: number; readonly atMost?: number };
}

/** Hands the figures of this process to `npm run bench`, or prints them where it was started by hand. */
export function report(figures: readonly Figure[]): void {
  const file = process.env['BENCH_REPORT'];
  if (file === undefined) console.log(JSON.stringify(figures, null, 2));
  else writeFileSync(file, JSON.stringify(figures));
}
