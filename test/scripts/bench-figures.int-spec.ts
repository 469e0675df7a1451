import { callScriptFunction } from './script-function.js';

const figure = {
  what: 'a walk',
  unit: 'ms',
  rounds: [30, 10, 1234.5, 20, 40],
  baseline: { what: 'a run', rounds: [10, 10, 100, 10, 10] },
};

describe('the table of the benches', () => {
  it('has medians, the spread, and the median of the ratios of each round', async () => {
    const lines = String(await callScriptFunction('bench-figures.mjs', 'benchTable', [figure])).split('\n');
    expect(lines.at(-1)?.trim().split(/ {2,}/)).toEqual(['a walk', 'ms', '30', '10 to 1235', 'a run', '10', '3']);
  });

  it('calls a figure over its limit by its median alone', async () => {
    const over = (atMost?: number) => callScriptFunction('bench-figures.mjs', 'overLimit', { ...figure, atMost });
    expect([await over(), await over(30), await over(29)]).toEqual([false, false, true]);
  });
});
