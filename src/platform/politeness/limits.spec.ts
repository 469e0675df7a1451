import { assert, integer, property } from 'fast-check';
import { limitsOf, rateOf, USUAL_LIMITS } from './limits.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';

describe('limitsOf', () => {
  it('takes those of the table where the provider stands in it', () => {
    expect(limitsOf(findProvider('gmail-smtp-in.l.google.com'), USUAL_LIMITS)).toMatchObject({ maxConnections: 4 });
    expect(limitsOf(null, USUAL_LIMITS)).toBe(USUAL_LIMITS);
  });
});

describe('rateOf', () => {
  it('is the pace of a minute, with ten seconds of it at once', () => {
    expect(rateOf(60)).toEqual({ intervalMs: 1000, burstMs: 10_000 });
  });

  it('lets an enhanced check through however slow the pace', () => {
    expect(rateOf(1)).toEqual({ intervalMs: 60_000, burstMs: 120_000 });
  });

  it('never allows more in a minute than was asked for', () => {
    assert(
      property(integer({ min: 1, max: 60_000 }), (perMinute) => {
        const { intervalMs } = rateOf(perMinute);
        expect(60_000 / intervalMs).toBeLessThanOrEqual(perMinute);
      }),
    );
  });
});
