import fc from 'fast-check';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { PROVIDER_TABLE } from '../../engine/smtp/providers/provider-table.js';
import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { PROVIDER_SELECTORS } from '../records/data/dkim-selectors.js';
import { classifyDomain, DOMAIN_TYPES, type ClassifyingKnowledge } from './classify-domain.js';
import { ACADEMIC_DOMAINS } from './data/academic-domains.js';
import { GOVERNMENT_DOMAINS } from './data/government-domains.js';
import { BUSINESS_MAIL_PROVIDERS } from './data/mail-suites.js';
import { isEducation } from './education.js';
import { isGovernment } from './government.js';

const knowledge: ClassifyingKnowledge = {
  lists: {
    isAllowListed: (domain) => domain === 'relay.example',
    isDisposableDomain: (domain) => domain === 'throw-away.example',
    isDisposableMailHost: (hosts) => hosts.includes('mx.throw-away.example'),
    isFreemail: (domain) => (domain === 'freemail.example' || domain === 'comcast.net' ? true : null),
  },
  findProvider,
};
/** A domain in use, with neither a web site nor a paid mail suite. */
const facts = (domain: string, changes: Partial<DomainFacts> = {}): DomainFacts => ({
  ...nothingKnownOf(domain),
  mx: true,
  nameServers: ['ns1.example.net'],
  addresses: [],
  mailHosts: ['mx.example.net'],
  ...changes,
});

describe('classifyDomain', () => {
  it.each<[string, DomainFacts, readonly string[] | null]>([
    ['freemail', facts('freemail.example'), ['freemail', 'public']],
    ['an access provider', facts('comcast.net'), ['freemail', 'isp', 'public']],
    ['an access provider that is on no freemail list', facts('t-online.de'), ['isp', 'public']],
    ['a throw-away domain', facts('throw-away.example'), ['disposable', 'public']],
    [
      'throw-away by its mail host',
      facts('example.com', { mailHosts: ['mx.throw-away.example'] }),
      ['disposable', 'public'],
    ],
    [
      'freemail by its mail host',
      facts('example.com', { mailHosts: ['example-com.olc.protection.outlook.com'] }),
      ['freemail', 'public'],
    ],
    [
      'a relay with a throw-away mail host',
      facts('relay.example', { mailHosts: ['mx.throw-away.example'] }),
      ['custom'],
    ],
    ['a university', facts('cs.example.edu', { addresses: ['198.51.100.7'] }), ['education']],
    ['an authority', facts('example.gov', { addresses: ['198.51.100.7'] }), ['government']],
    ['a web site', facts('example.com', { addresses: ['198.51.100.7'] }), ['company']],
    ['a mail suite', facts('example.com', { mailHosts: ['example-com.mail.protection.outlook.com'] }), ['company']],
    ['a security gateway', facts('example.com', { mailHosts: ['mx1.pphosted.com'] }), ['company']],
    ['mail alone', facts('example.com'), ['custom']],
    [
      'a mailbox for private persons',
      facts('example.com', { mailHosts: ['in1-smtp.messagingengine.com'] }),
      ['custom'],
    ],
    ['a parked domain', facts('example.com', { mx: false, mailHosts: [], addresses: ['199.59.243.225'] }), ['custom']],
    ['nothing in use', facts('example.com', { mx: false, mailHosts: [] }), null],
  ])('%s', (_, given, expected) => {
    expect(classifyDomain(given, knowledge)).toEqual(expected);
  });

  it('classifies a listed domain by its name alone', () => {
    expect(classifyDomain(nothingKnownOf('freemail.example'), knowledge)).toEqual(['freemail', 'public']);
    expect(classifyDomain(nothingKnownOf('example.ac.uk'), knowledge)).toEqual(['education']);
  });

  it('returns null while the owner is unknown', () => {
    expect(classifyDomain(nothingKnownOf('example.com'), knowledge)).toBeNull();
    expect(
      classifyDomain(facts('example.com', { mailHosts: null, addresses: ['198.51.100.7'] }), knowledge),
    ).toBeNull();
    expect(classifyDomain(facts('example.com', { addresses: null }), knowledge)).toBeNull();
  });

  it('returns sorted distinct types, at least one', () => {
    expect([...DOMAIN_TYPES].toSorted()).toEqual(DOMAIN_TYPES);
    const domains = fc.constantFrom(
      'freemail.example',
      'throw-away.example',
      'comcast.net',
      'a.edu',
      'a.gov',
      'example.com',
    );
    const hosts = fc.option(fc.subarray(['mx.throw-away.example', 'aspmx.l.google.com', 'mx.example.net']), {
      nil: null,
    });
    fc.assert(
      fc.property(domains, hosts, (domain, mailHosts) => {
        const types = classifyDomain(facts(domain, { mailHosts }), knowledge);
        if (types === null) return;
        expect(types.length).toBeGreaterThan(0);
        expect(types).toEqual([...new Set(types)].toSorted());
      }),
    );
  });
});

describe('isEducation', () => {
  it.each([
    'example.edu',
    'mail.example.edu.au',
    'example.ac.uk',
    'school.county.sch.uk',
    'school.k12.ca.us',
    'example.k12.tr',
    'example.ac.me',
    'example.school.nz',
    'example.ed.jp',
    'student.ethz.ch',
  ])('%s is', (domain) => {
    expect(isEducation(domain)).toBe(true);
  });

  it.each([
    'edu.example.com',
    'example.ac.de',
    'example.ac',
    'example.education',
    'notethz.ch',
    'edu.au',
    'ac.uk',
    'k12.example.de',
    'x.k12.ca.de',
    'k12.ca.us',
    'city.ca.us',
    'example.co.uk',
  ])('%s is not', (domain) => {
    expect(isEducation(domain)).toBe(false);
  });

  it('lists each name once, and only names that no rule covers', () => {
    expect(new Set(ACADEMIC_DOMAINS).size).toBe(ACADEMIC_DOMAINS.length);
    expect(ACADEMIC_DOMAINS.filter((domain) => /\.edu$|\.(?:edu|ac)\.[a-z]{2}$/.test(domain))).toEqual([]);
    expect(ACADEMIC_DOMAINS.filter((domain) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(domain))).toEqual([]);
  });
});

describe('isGovernment', () => {
  it.each([
    'example.gov',
    'navy.mil',
    'gov.uk',
    'dept.example.gov.au',
    'example.gob.mx',
    'example.gouv.fr',
    'example.go.jp',
    'example.govt.nz',
    'example.mil.br',
    'dmv.state.ca.us',
    'ec.europa.eu',
    'example.admin.ch',
  ])('%s is', (domain) => {
    expect(isGovernment(domain)).toBe(true);
  });

  it.each([
    'gov.example.com',
    'example.go.it',
    'example.gob.de',
    'example.mil.de',
    'go.com',
    'eu',
    'noteuropa.eu',
    'state.us',
    'x.state.ca.de',
    'city.ca.us',
    'x.state.cal.us',
    'go.jp',
    'gov',
  ])('%s is not', (domain) => {
    expect(isGovernment(domain)).toBe(false);
  });

  it('lists each name once', () => {
    expect(new Set(GOVERNMENT_DOMAINS).size).toBe(GOVERNMENT_DOMAINS.length);
  });
});

describe('tables that name mail providers', () => {
  it('use ids of the provider table', () => {
    const ids = new Set(PROVIDER_TABLE.map(({ id }) => id));
    const named = [...BUSINESS_MAIL_PROVIDERS, ...Object.keys(PROVIDER_SELECTORS)];
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});
