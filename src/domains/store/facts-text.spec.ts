import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { readDomainFacts, writeDomainFacts } from './facts-text.js';

const full: DomainFacts = {
  domain: 'example.com',
  mx: true,
  nullMx: false,
  spf: true,
  dkim: false,
  dmarc: true,
  dmarcPolicy: 'quarantine',
  mtaSts: false,
  tlsRpt: true,
  bimi: false,
  mailHostListed: false,
  dane: true,
  blacklists: 0,
  dnssec: 'secure',
  caa: true,
  nameServers: ['ns1.example.net'],
  addresses: [],
  mailHosts: ['mx.example.com'],
};

describe('stored facts', () => {
  it('are read back as they were written, without the domain name', () => {
    for (const facts of [full, nothingKnownOf('example.com')]) {
      const text = writeDomainFacts(facts);
      expect(text).not.toContain('"domain"');
      expect(readDomainFacts('example.com', text)).toEqual(facts);
      // Some drivers return a JSON column like this.
      expect(readDomainFacts('example.com', JSON.parse(text))).toEqual(facts);
    }
  });

  it('from another release are read as far as they are understood', () => {
    const stored = { ...full, spf: 'maybe', dnssec: 'certain', mailHosts: [1], arc: true, dane: undefined };
    const { arc: _, ...rest } = stored;
    expect(readDomainFacts('example.com', JSON.stringify(stored))).toEqual({
      ...rest,
      spf: null,
      dnssec: null,
      mailHosts: null,
      dane: null,
    });
  });

  it.each([null, '', 'no JSON', '[]', '1', 'null'])('are null if the text is unreadable: %j', (stored) => {
    expect(readDomainFacts('example.com', stored)).toBeNull();
  });
});
