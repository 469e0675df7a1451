import fc from 'fast-check';
import { RESULTS, type Result } from './result.js';
import { SCORE_BANDS, SCORE_WEIGHTS } from './score-weights.js';
import { score, type ScoredDomain, type ScoreSignals } from './score.js';

const base: ScoreSignals = { result: 'valid', blocked: false, spamTrap: false, parked: false, domain: null };
const boolean = fc.constantFrom(true, false, null);
const domain: fc.Arbitrary<ScoredDomain> = fc.record({
  spf: boolean,
  dkim: boolean,
  dmarc: boolean,
  dmarcPolicy: fc.constantFrom('none' as const, 'quarantine' as const, 'reject' as const, null),
  mtaSts: boolean,
  tlsRpt: boolean,
  dane: boolean,
  dnssec: fc.constantFrom('secure' as const, 'insecure' as const, 'bogus' as const, null),
  caa: boolean,
  blacklists: fc.option(fc.nat(9), { nil: null }),
});
const unknown: ScoredDomain = {
  spf: null,
  dkim: null,
  dmarc: null,
  dmarcPolicy: null,
  mtaSts: null,
  tlsRpt: null,
  dane: null,
  dnssec: null,
  caa: null,
  blacklists: null,
};
const signals = fc.record({
  result: fc.constantFrom<Result>(...RESULTS),
  blocked: fc.constant(false),
  spamTrap: fc.boolean(),
  parked: fc.boolean(),
  domain: fc.option(domain, { nil: null }),
});

describe('score', () => {
  it.each<[Result, number | null]>([
    ['valid', 0.95],
    ['role', 0.6],
    ['catch_all', 0.5],
    ['disposable', 0.1],
    ['invalid', 0],
    ['unknown', null],
  ])('is the base of its band for %s when the domain is not known', (result, expected) => {
    expect(score({ ...base, result })).toBe(expected);
  });

  it.each<[Partial<ScoredDomain>, number]>([
    [{}, 0.95],
    [{ spf: true }, 0.958],
    [{ spf: false }, 0.913],
    [{ dmarc: true }, 0.958],
    [{ dmarc: false }, 0.913],
    [{ dmarcPolicy: 'reject' }, 0.958],
    [{ dmarcPolicy: 'quarantine' }, 0.958],
    [{ dmarcPolicy: 'none' }, 0.938],
    [{ dkim: true }, 0.958],
    [{ dkim: false }, 0.95],
    [{ mtaSts: true }, 0.955],
    [{ tlsRpt: true }, 0.952],
    [{ dane: true }, 0.955],
    [{ dnssec: 'secure' }, 0.955],
    [{ dnssec: 'insecure' }, 0.95],
    [{ dnssec: 'bogus' }, 0.875],
    [{ caa: true }, 0.952],
    [{ blacklists: 0 }, 0.95],
    [{ blacklists: 1 }, 0.913],
    [{ blacklists: 3 }, 0.837],
    [{ blacklists: 9 }, 0.837],
    [{ spf: false, dmarc: false, dnssec: 'bogus', blacklists: 9 }, 0.7],
  ])('moves from the base by what is known of the domain: %j', (known, expected) => {
    expect(score({ ...base, domain: { ...unknown, ...known } })).toBe(expected);
  });

  it('reaches the ends of its band, and goes down for a parked domain', () => {
    const good = { spf: true, dkim: true, dmarc: true, mtaSts: true, tlsRpt: true, dane: true, caa: true };
    const best: ScoredDomain = { ...unknown, ...good, dmarcPolicy: 'reject', dnssec: 'secure' };
    expect(score({ ...base, domain: best })).toBe(1);
    expect(score({ ...base, parked: true })).toBe(0.825);
    const worst: ScoredDomain = { ...unknown, spf: false, dnssec: 'bogus', blacklists: 3 };
    expect(score({ ...base, parked: true, domain: worst })).toBe(0.7);
  });

  it('stays inside the band of its verdict', () => {
    fc.assert(
      fc.property(signals, (given) => {
        const band = SCORE_BANDS[given.result];
        const value = score(given);
        if (band === null) expect(value).toBeNull();
        else expect(band.min <= value! && value! <= band.max).toBe(true);
      }),
    );
  });

  it('never falls when a good signal is added', () => {
    const facts = ['spf', 'dkim', 'dmarc', 'mtaSts', 'tlsRpt', 'dane', 'caa'] as const;
    fc.assert(
      fc.property(signals, domain, fc.constantFrom(...facts), (given, known, fact) => {
        const without = score({ ...given, domain: { ...known, [fact]: null } });
        const withGood = score({ ...given, domain: { ...known, [fact]: true } });
        expect(withGood ?? 0).toBeGreaterThanOrEqual(without ?? 0);
      }),
    );
  });

  it('puts a spam trap at the bottom of its band and a blocked domain at 0', () => {
    expect(score({ ...base, spamTrap: true })).toBe(0.7);
    expect(score({ ...base, blocked: true, result: 'unknown' })).toBe(0);
  });

  it('has bands that do not overlap, and good shares that add up to the whole band', () => {
    const bands = Object.values(SCORE_BANDS).filter((band) => band !== null);
    const sorted = bands.toSorted((a, b) => a.min - b.min);
    sorted.slice(1).forEach((band, index) => expect(band.min).toBeGreaterThan(sorted[index]!.max));
    const good = Object.values(SCORE_WEIGHTS).reduce((sum, weight) => sum + weight.good, 0);
    expect(good).toBeCloseTo(1);
  });
});
