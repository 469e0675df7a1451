import type { ClassifyingKnowledge } from './classify/classify-domain.js';
import { nothingKnownOf, type DomainFacts } from './domain-facts.js';
import { DOMAIN_SCORE_VERSION } from './domain-score-weights.js';
import { judgeDomain } from './judge-domain.js';

const knowledge: ClassifyingKnowledge = {
  lists: {
    isAllowListed: () => false,
    isDisposableDomain: (domain) => domain === 'throw-away.example',
    isDisposableMailHost: () => false,
    isFreemail: () => null,
  },
  findProvider: () => null,
};
const facts: DomainFacts = {
  ...nothingKnownOf('example.com'),
  mx: true,
  spf: true,
  dmarc: true,
  dmarcPolicy: 'reject',
  nameServers: ['ns1.example.net'],
  addresses: ['198.51.100.7'],
  mailHosts: ['mx.example.com'],
  mailHostListed: true,
};
const PARKED = ['ns1.sedoparking.com'];

describe('judgeDomain', () => {
  it('combines type, parking and score', () => {
    expect(judgeDomain(facts, knowledge)).toEqual({
      types: ['company'],
      parked: false,
      suspectedTrap: false,
      score: 100,
      scoreVersion: DOMAIN_SCORE_VERSION,
    });
  });

  it('caps the score of a disposable and of a parked domain', () => {
    expect(judgeDomain({ ...facts, domain: 'throw-away.example' }, knowledge)).toMatchObject({ score: 30 });
    expect(judgeDomain({ ...facts, nameServers: PARKED }, knowledge)).toMatchObject({ score: 30, parked: true });
  });

  it('caps no score for a type that is unknown', () => {
    const unknown = { ...facts, addresses: null };
    expect(judgeDomain(unknown, knowledge)).toMatchObject({ types: null, score: 100 });
  });

  it('suspects a spam trap only at a parked domain with a blacklisted mail host', () => {
    const suspected = (changes: Partial<DomainFacts>): boolean =>
      judgeDomain({ ...facts, ...changes }, knowledge).suspectedTrap;
    expect(suspected({ nameServers: PARKED })).toBe(true);
    expect(suspected({ nameServers: PARKED, mailHostListed: false })).toBe(false);
    expect(suspected({ nameServers: PARKED, mailHostListed: null })).toBe(false);
    expect(suspected({ nameServers: null })).toBe(false);
  });

  it('returns nulls for a domain that was never crawled', () => {
    expect(judgeDomain(nothingKnownOf('example.org'), knowledge)).toMatchObject({
      types: null,
      parked: null,
      score: null,
    });
  });
});
