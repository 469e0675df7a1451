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

  it.each([
    [{ atLeast: 2 }, '≥ 2', true],
    [{ atMost: 2 }, '≤ 2', false],
    [{ atLeast: 2, atMost: 4 }, '2 to 4', true],
    [{ atLeast: 0.85, atMost: 1.15 }, '0.85 to 1.15', false],
    [{ atLeast: 4, atMost: 5 }, '4 to 5', false],
  ])('shows a target of %j as %s and whether the ratio of 3 reaches it', async (target, named, reached) => {
    const aimed = { ...figure, target };
    const lines = String(await callScriptFunction('bench-figures.mjs', 'benchTable', [aimed])).split('\n');
    expect(lines.at(-1)?.trim().split(/ {2,}/).at(-1)).toBe(named);
    expect(await callScriptFunction('bench-figures.mjs', 'onTarget', aimed)).toBe(reached);
  });

  it('judges a figure against its limit by the median', async () => {
    const over = (atMost?: number) => callScriptFunction('bench-figures.mjs', 'overLimit', { ...figure, atMost });
    expect([await over(), await over(30), await over(29)]).toEqual([false, false, true]);
  });
});

describe('the comparison with a kept run', () => {
  const rows = async (kept: object): Promise<string[]> => {
    const text = String(await callScriptFunction('bench-figures.mjs', 'comparison', [figure], [kept]));
    return (text.split('\n').slice(2).at(-1) ?? '').trim().split(/ {2,}/);
  };

  it('has the ratios of both with their spreads', async () => {
    const kept = { ...figure, rounds: [40, 20, 200, 30, 40] };
    expect(await rows(kept)).toEqual(['a walk', 'a run', '3', '2 to 4', '3', '1 to 12.3']);
  });

  it('says apart if the spreads do not overlap', async () => {
    expect((await rows({ ...figure, rounds: [1, 2, 3, 4, 5] })).at(-1)).toBe('apart');
  });

  it('leaves out what the kept run did not measure', async () => {
    expect(await rows({ ...figure, what: 'a swim' })).toEqual(['']);
  });
});
