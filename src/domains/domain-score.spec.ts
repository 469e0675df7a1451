import fc from 'fast-check';
import { nothingKnownOf } from './domain-facts.js';
import { DOMAIN_SCORE_WEIGHTS } from './domain-score-weights.js';
import { domainScore, scoreParts, type DomainCatchAll, type ScoredFacts } from './domain-score.js';

const FINE: DomainCatchAll = { disposable: false, parked: false, blocked: false };
const KNOWN: ScoredFacts = {
  ...nothingKnownOf('example.com'),
  mx: true,
  spf: true,
  dmarc: true,
  dmarcPolicy: 'reject',
};
const PERFECT: ScoredFacts = {
  ...KNOWN,
  dkim: true,
  dnssec: 'secure',
  mtaSts: true,
  dane: true,
  blacklists: 0,
  tlsRpt: true,
  caa: true,
};
const yesNoNull = fc.constantFrom(true, false, null);
const anyFacts: fc.Arbitrary<ScoredFacts> = fc
  .record({
    mx: yesNoNull,
    spf: yesNoNull,
    dmarc: yesNoNull,
    dmarcPolicy: fc.constantFrom('none' as const, 'quarantine' as const, 'reject' as const),
    dkim: yesNoNull,
    dnssec: fc.constantFrom('secure' as const, 'insecure' as const, 'bogus' as const, null),
    mtaSts: yesNoNull,
    dane: yesNoNull,
    blacklists: fc.option(fc.nat(9), { nil: null }),
    tlsRpt: yesNoNull,
    caa: yesNoNull,
  })
  .map((facts) => ({ ...facts, dmarcPolicy: facts.dmarc === true ? facts.dmarcPolicy : null }));
const anyStanding = fc.record({ disposable: fc.boolean(), parked: yesNoNull, blocked: fc.boolean() });

describe('domainScore', () => {
  it('has weights that add up to 100', () => {
    expect(Object.values(DOMAIN_SCORE_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
  });

  it.each<[string, Partial<ScoredFacts>, number]>([
    ['everything', {}, 100],
    ['nothing of DANE', { dane: false }, 93],
    ['no DKIM key found, which is no proof', { dkim: false }, 100],
    ['quarantine', { dmarcPolicy: 'quarantine' }, 96],
    ['p=none', { dmarcPolicy: 'none' }, 87],
    ['no DMARC at all', { dmarc: false, dmarcPolicy: null }, 77],
    ['no DNSSEC', { dnssec: 'insecure' }, 92],
    ['bogus DNSSEC', { dnssec: 'bogus' }, 40],
    ['bogus DNSSEC and no mail host', { dnssec: 'bogus', mx: false, spf: false, dmarc: false, dmarcPolicy: null }, 35],
    ['one blacklist', { blacklists: 1 }, 85],
    ['four blacklists', { blacklists: 4 }, 55],
    ['nine blacklists', { blacklists: 9 }, 55],
    ['no mail host', { mx: false }, 80],
  ])('of a domain with %s', (_, changes, expected) => {
    expect(domainScore({ ...PERFECT, ...changes }, FINE)).toBe(expected);
  });

  it('scales the known facts to the whole score', () => {
    expect(domainScore(KNOWN, FINE)).toBe(100);
    // 20 + 12 of 55
    expect(domainScore({ ...KNOWN, dmarc: false, dmarcPolicy: null }, FINE)).toBe(58);
    // 20 + 12 + 10 of 55
    expect(domainScore({ ...KNOWN, dmarcPolicy: 'none' }, FINE)).toBe(76);
    // (55 + 2) of 65
    expect(domainScore({ ...KNOWN, dnssec: 'insecure' }, FINE)).toBe(88);
  });

  it.each(['mx', 'spf', 'dmarc'] as const)('is null until %s is known', (fact) => {
    expect(domainScore({ ...PERFECT, [fact]: null }, FINE)).toBeNull();
  });

  it('is capped for disposable and parked domains, and 0 for blocked ones', () => {
    expect(domainScore(PERFECT, { ...FINE, disposable: true })).toBe(30);
    expect(domainScore(PERFECT, { ...FINE, parked: true })).toBe(30);
    expect(domainScore(PERFECT, { ...FINE, parked: null })).toBe(100);
    expect(domainScore({ ...PERFECT, mx: null }, { ...FINE, blocked: true })).toBe(0);
  });

  it('is a whole number from 0 to 100, or null without enough facts', () => {
    fc.assert(
      fc.property(anyFacts, anyStanding, (facts, standing) => {
        const score = domainScore(facts, standing);
        const wanting = [facts.mx, facts.spf, facts.dmarc].includes(null) && !standing.blocked;
        expect(score === null).toBe(wanting);
        if (score !== null) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      }),
    );
  });

  it('never falls when a bad or missing fact becomes good', () => {
    const goods: Partial<ScoredFacts>[] = [
      { mx: true },
      { spf: true },
      { dmarc: true, dmarcPolicy: 'reject' },
      { dkim: true },
      { dnssec: 'secure' },
      { mtaSts: true },
      { dane: true },
      { blacklists: 0 },
      { tlsRpt: true },
      { caa: true },
    ];
    fc.assert(
      fc.property(anyFacts, anyStanding, fc.constantFrom(...goods), (facts, standing, good) => {
        const before = domainScore(facts, standing) ?? -1;
        expect(domainScore({ ...facts, ...good }, standing) ?? -1).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  it('never falls when DMARC is published or its policy made stricter', () => {
    const dmarc = (policy: 'none' | 'quarantine' | 'reject' | null): Partial<ScoredFacts> => ({
      dmarc: policy !== null,
      dmarcPolicy: policy,
    });
    fc.assert(
      fc.property(anyFacts, anyStanding, (facts, standing) => {
        const scores = [null, 'none' as const, 'quarantine' as const, 'reject' as const].map(
          (policy) => domainScore({ ...facts, ...dmarc(policy) }, standing) ?? 0,
        );
        expect(scores).toEqual(scores.toSorted((one, other) => one - other));
      }),
    );
  });

  it('never rises with another blacklist', () => {
    fc.assert(
      fc.property(anyFacts, anyStanding, fc.nat(9), (facts, standing, blacklists) => {
        const fewer = domainScore({ ...facts, blacklists }, standing) ?? 0;
        expect(domainScore({ ...facts, blacklists: blacklists + 1 }, standing) ?? 0).toBeLessThanOrEqual(fewer);
      }),
    );
  });
});

describe('scoreParts', () => {
  it('are the weights, largest first, with the share of each that is reached', () => {
    const parts = scoreParts({ ...PERFECT, dmarcPolicy: 'quarantine', dnssec: 'bogus', dkim: false });
    expect(parts.map(({ fact, max }) => [fact, max])).toEqual(
      Object.entries(DOMAIN_SCORE_WEIGHTS).toSorted(([, a], [, b]) => b - a),
    );
    const shareOf = Object.fromEntries(parts.map(({ fact, share }) => [fact, share]));
    expect(shareOf).toMatchObject({ mx: 1, dmarcPolicy: 2 / 3, dnssec: 0, dkim: null });
  });

  it('know no policy while DMARC is unknown', () => {
    const unknown = scoreParts({ ...PERFECT, dmarc: null, dmarcPolicy: null });
    expect(unknown.filter(({ share }) => share === null).map(({ fact }) => fact)).toEqual(['dmarcPolicy', 'dmarc']);
  });
});
