/** Compared with results, so that the work is not optimized away. */
const NO_RESULT = Symbol('no result');

/** Calls per second of a synchronous function, over its inputs in turn, within `ms` milliseconds. */
export function callsPerSecond<Input>(inputs: readonly Input[], work: (input: Input) => unknown, ms = 80): number {
  const began = performance.now();
  let calls = 0;
  do {
    for (let turn = 0; turn < 20; turn += 1) for (const input of inputs) if (work(input) === NO_RESULT) return 0;
    calls += 20 * inputs.length;
  } while (performance.now() - began < ms);
  return perSecond(calls, began);
}

/** Operations per second, with `atOnce` in progress. */
export async function settledPerSecond(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const began = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return perSecond(count, began);
}

function perSecond(count: number, began: number): number {
  return (count / (performance.now() - began)) * 1000;
}

/** The `p` quantile of the values (nearest rank). Throws without values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('no values');
  return value;
}
