import { DOMAIN_PROFILES } from './domain-profiles.js';
import { derivedFixture } from './derived-fixtures.js';

const hundredths = Array.from({ length: 100 }, (_, i) => i);

describe('derivedFixture', () => {
  it('is chosen by the first number modulo a hundred', () => {
    for (const first of hundredths) {
      expect(derivedFixture([first, 1, 2])).toEqual(derivedFixture([first + 100, 1, 2]));
    }
    // The shares add up to a hundred: 100 wraps around to the first, and the last differs from the first.
    expect(derivedFixture([100, 0, 0])).toEqual(derivedFixture([0, 0, 0]));
    expect(derivedFixture([99, 0, 0])).not.toEqual(derivedFixture([0, 0, 0]));
  });

  it('gets a domain by the second number if the fixture names none', () => {
    const seen = new Set(hundredths.map((second) => derivedFixture([0, second, 0]).domain));
    expect(seen).toContain(null);
    expect(seen).toContain(DOMAIN_PROFILES.school);
    expect(seen.size).toBe(10);
    const freemail = hundredths.map((second) => derivedFixture([32, second, 0]).domain);
    expect(new Set(freemail)).toEqual(new Set([DOMAIN_PROFILES.freemail]));
  });

  it('is from the cache only if a mail host was asked', () => {
    for (const first of hundredths) {
      for (const third of [0, 1, 2]) {
        const { probe, freshness } = derivedFixture([first, 0, third]);
        if (probe === null) expect(freshness).toBe('fresh');
      }
    }
    expect([0, 1, 2].map((third) => derivedFixture([0, 0, third]).freshness)).toEqual([
      'fresh',
      'cached_recent',
      'cached_stale_refreshed',
    ]);
  });
});
