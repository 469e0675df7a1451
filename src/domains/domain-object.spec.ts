import { nothingKnownOf, type DomainFacts } from './domain-facts.js';
import { toDomainObject } from './domain-object.js';

const facts: DomainFacts = {
  ...nothingKnownOf('example.com'),
  mx: true,
  spf: true,
  dkim: false,
  dmarc: true,
  dmarcPolicy: 'quarantine',
  mtaSts: false,
  tlsRpt: true,
  bimi: false,
  dane: true,
  blacklists: 2,
  dnssec: 'insecure',
  caa: true,
  nameServers: ['ns1.example.net'],
};

describe('toDomainObject', () => {
  it('has exactly the contract’s keys, in its order', () => {
    expect(JSON.stringify(toDomainObject(facts, { types: ['company'], score: 71 }, null))).toBe(
      JSON.stringify({
        name: 'example.com',
        types: ['company'],
        score: 71,
        spf: true,
        dkim: false,
        dmarc: true,
        dmarc_policy: 'quarantine',
        mta_sts: false,
        tls_rpt: true,
        bimi: false,
        dane: true,
        blacklists: 2,
        dnssec: 'insecure',
        caa: true,
        blocked: false,
        blocked_label: null,
      }),
    );
  });

  it('has every key as null when nothing is known', () => {
    const object = toDomainObject(nothingKnownOf('example.org'), { types: null, score: null }, null);
    const nulls = Object.entries(object).filter(([, value]) => value === null);
    expect(Object.keys(object)).toHaveLength(16);
    expect(nulls).toHaveLength(14);
    expect(object).toMatchObject({ name: 'example.org', blocked: false });
  });

  it('shows today’s block instead of an earlier score', () => {
    const judgement = { types: null, score: 71 };
    expect(toDomainObject(facts, judgement, { label: 'impersonates a bank' })).toMatchObject({
      score: 0,
      blocked: true,
      blocked_label: 'impersonates a bank',
    });
    expect(toDomainObject(facts, judgement, { label: null })).toMatchObject({ blocked: true, blocked_label: null });
  });
});
