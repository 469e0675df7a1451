import { assert, integer, property } from 'fast-check';
import { limitsOf, rateOf, USUAL_LIMITS } from './limits.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';

describe('limitsOf', () => {
  it('uses the limits of the provider table', () => {
    expect(limitsOf(findProvider('gmail-smtp-in.l.google.com'), USUAL_LIMITS)).toMatchObject({ maxConnections: 4 });
    expect(limitsOf(null, USUAL_LIMITS)).toBe(USUAL_LIMITS);
  });
});

describe('rateOf', () => {
  it('is the rate of a minute, with a burst of ten seconds', () => {
    expect(rateOf(60)).toEqual({ intervalMs: 1000, burstMs: 10_000 });
  });

  it('admits an enhanced check at any rate', () => {
    expect(rateOf(1)).toEqual({ intervalMs: 60_000, burstMs: 120_000 });
  });

  it('never allows more in a minute than configured', () => {
    assert(
      property(integer({ min: 1, max: 60_000 }), (perMinute) => {
        const { intervalMs } = rateOf(perMinute);
        expect(60_000 / intervalMs).toBeLessThanOrEqual(perMinute);
      }),
    );
  });
});
