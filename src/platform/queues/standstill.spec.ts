import { Standstill, type QueueObservation } from './standstill.js';

const GAP = 30_000;
const standing: Omit<QueueObservation, 'at'> = { steps: 7, waiting: 3 };

/** The standstill after observations ten seconds apart. */
function after(...sights: Partial<QueueObservation>[]): number {
  const standstill = new Standstill(GAP);
  sights.forEach((sight, n) => standstill.observe({ at: n * 10_000, ...standing, ...sight }));
  return standstill.durationMs;
}

describe('Standstill', () => {
  it('lasts from the last observation before the queue stopped', () => {
    expect(after({})).toBe(0);
    expect(after({}, {})).toBe(10_000);
    expect(after({ steps: 6 }, {}, {}, {})).toBe(20_000);
  });

  it.each<[string, Partial<QueueObservation>]>([
    ['a run begins or ends', { steps: 8 }],
    ['nothing waits', { waiting: 0 }],
    ['Redis does not say what waits', { waiting: null }],
  ])('ends if %s', (_, sight) => {
    expect(after({}, {}, sight)).toBe(0);
    expect(after({}, {}, sight, { steps: sight.steps ?? 7 })).toBe(10_000);
  });

  it('does not count time in which the process itself was suspended', () => {
    expect(after({}, {}, { at: 100_000 })).toBe(0);
  });
});
