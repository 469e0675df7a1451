import { seededRandom } from '../../platform/collections/seeded-random.js';
import { DEMO_DAYS, demoCalls, demoVerdicts } from './demo-history.js';

const NOON = new Date('2026-11-29T12:00:00Z');

describe('the made-up history', () => {
  const calls = demoCalls(NOON, seededRandom(1));

  it('covers a month, oldest first, and nothing that is still to come', () => {
    expect(new Set(calls.map(({ daysAgo }) => daysAgo)).size).toBe(DEMO_DAYS);
    const times = calls.map(({ daysAgo, secondOfDay }) => secondOfDay - daysAgo * 86_400);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThan(43_200);
  });

  it('refunds no more than was charged, and has every endpoint', () => {
    expect(calls.filter(({ addresses, refunded }) => addresses < 1 || refunded > addresses)).toEqual([]);
    expect(new Set(calls.map(({ endpoint }) => endpoint))).toEqual(new Set(['single', 'batch', 'job']));
  });

  it('is quieter at weekends', () => {
    const on = (daysAgo: number) => calls.filter((call) => call.daysAgo === daysAgo).length;
    // The first of the month was a Sunday, and the second a Monday.
    expect(on(28)).toBeLessThan(on(27));
  });

  it('has a verdict for every address that was not refunded', () => {
    const given = demoVerdicts(calls, seededRandom(2)).flatMap(({ verdicts }) => Object.values(verdicts));
    const charged = calls.reduce((sum, { addresses, refunded }) => sum + addresses - refunded, 0);
    expect(given.reduce((sum, count) => sum + count, 0)).toBe(charged);
  });

  it('is the same for the same seed', () => {
    expect(demoCalls(NOON, seededRandom(1))).toEqual(calls);
    expect(demoCalls(NOON, seededRandom(2))).not.toEqual(calls);
  });
});
