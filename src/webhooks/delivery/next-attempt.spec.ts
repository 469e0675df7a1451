import { MAX_ATTEMPTS, nextAttemptMs, readRetryAfter } from './next-attempt.js';

describe('the next attempt', () => {
  it('comes after ever longer delays, and none after the tenth', () => {
    const minutes = Array.from(
      { length: MAX_ATTEMPTS },
      (_, i) => (nextAttemptMs(i + 1, null, 0) ?? Number.NaN) / 60_000,
    );
    expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440, Number.NaN]);
  });

  it('is spread over a tenth of the delay', () => {
    expect(nextAttemptMs(2, null, 1)).toBe(330_000);
    expect(nextAttemptMs(2, null, 0.5)).toBe(315_000);
  });

  it('waits as long as the receiver asks, at least the usual delay and at most a day', () => {
    expect(nextAttemptMs(1, 60_000, 0)).toBe(60_000);
    expect(nextAttemptMs(2, 1000, 0)).toBe(300_000);
    expect(nextAttemptMs(1, 1e12, 0)).toBe(86_400_000);
    expect(nextAttemptMs(1, Number.POSITIVE_INFINITY, 0)).toBe(86_400_000);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-29T08:00:00Z');

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['10000000000', 1e13],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Sun, 29 Nov 2026 08:01:00 GMT', 60_000],
    ['Sun, 29 Nov 2026 07:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ])('%p is %p ms', (header, ms) => {
    expect(readRetryAfter(header, now)).toBe(ms);
  });
});
