import { duration, Pace, progressJson, progressLine, type Progress } from './progress.js';

const NONE = { valid: 0, invalid: 0, catch_all: 0, disposable: 0, role: 0, unknown: 0 };
const HALF: Progress = { done: 5000, total: 10_000, waiting: 40, counts: { ...NONE, valid: 4200, invalid: 800 } };

describe('progress', () => {
  it('is one line on a terminal', () => {
    expect(progressLine(HALF, 50, 120)).toBe(
      '[##########----------] 50%  5,000 of 10,000  50/s  1:40 left  valid 4,200  invalid 800  waiting 40',
    );
    expect(progressLine(HALF, null, 120)).toContain('50%  5,000 of 10,000  valid');
    expect(progressLine({ ...HALF, done: 0, total: 0 }, 0, 120)).toContain('100%  0 of 0');
  });

  it('is never wider than the terminal', () => {
    expect(progressLine(HALF, 50, 30)).toBe('[##########----------] 50%  5');
  });

  it('is JSON elsewhere', () => {
    expect(JSON.parse(progressJson(HALF, 49.96))).toEqual({
      done: 5000,
      total: 10_000,
      waiting: 40,
      per_second: 50,
      seconds_left: 101,
      results: HALF.counts,
    });
    expect(JSON.parse(progressJson(HALF, null))).toMatchObject({ per_second: null, seconds_left: null });
  });
});

it('a pace is that of the last seconds', () => {
  const pace = new Pace(10_000);
  expect(pace.note(100, 0)).toBeNull();
  expect(pace.note(200, 10_000)).toBe(10);
  expect(pace.note(1200, 20_000)).toBe(100);
});

it.each([
  [0.2, '0:01'],
  [75, '1:15'],
  [7509, '2:05:09'],
])('%d seconds are %s', (seconds, shown) => {
  expect(duration(seconds)).toBe(shown);
});
