import { retryChunks } from './retry-chunks.js';
import type { Target } from '../outcomes/targets.js';

const retry = (positions: readonly number[], afterMs: number, egress: string | null) => ({
  target: { positions } as unknown as Target,
  afterMs,
  egress,
});

it('groups retries by egress, due when the last of them is', () => {
  expect(
    retryChunks([retry([1, 5], 1000, 'a'), retry([2], 3000, 'b'), retry([3], 9000, 'a'), retry([4], 0, null)]),
  ).toEqual([
    { egress: 'a', delayMs: 9000, positions: [1, 5, 3] },
    { egress: 'b', delayMs: 3000, positions: [2] },
    { egress: null, delayMs: 0, positions: [4] },
  ]);
});
