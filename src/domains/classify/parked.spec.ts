import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { isParked } from './parked.js';

const facts = (changes: Partial<DomainFacts> = {}): DomainFacts => ({
  ...nothingKnownOf('example.com'),
  mx: true,
  nameServers: ['ns1.example.net'],
  addresses: ['198.51.100.7'],
  mailHosts: ['mx.example.com'],
  ...changes,
});

describe('isParked', () => {
  it.each<[string, Partial<DomainFacts>]>([
    ['name servers of a parking company', { nameServers: ['ns1.sedoparking.com', 'ns2.sedoparking.com'] }],
    ['mail hosts of one', { mailHosts: ['park-mx.above.com'] }],
    ['all addresses in networks of such companies', { addresses: ['199.59.243.225', '64.190.63.222'] }],
    ['an address of parking pages, and no mail host', { addresses: ['34.102.136.180'], mx: false, mailHosts: [] }],
    ['such an address and idle name servers', { addresses: ['34.102.136.180'], nameServers: ['ns1.dnsowl.com'] }],
    ['such an address and a squatter’s mail host', { addresses: ['34.102.136.180'], mailHosts: ['mx1.h-email.net'] }],
    [
      'a squatter’s mail host and idle name servers',
      { mailHosts: ['mx1.h-email.net'], nameServers: ['ns1.dnsowl.com'] },
    ],
  ])('is true with %s', (_, changes) => {
    expect(isParked(facts(changes))).toBe(true);
  });

  it.each<[string, Partial<DomainFacts>]>([
    ['nothing of all this', {}],
    ['an address of parking pages alone', { addresses: ['34.102.136.180'] }],
    ['idle name servers alone', { nameServers: ['ns1.dnsowl.com'] }],
    ['idle name servers and no mail host', { nameServers: ['ns1.dnsowl.com'], mx: false, mailHosts: [] }],
    ['a squatter’s mail host alone', { mailHosts: ['mx1.h-email.net'] }],
    ['a squatter’s mail host and no address', { mailHosts: ['mx1.h-email.net'], addresses: [] }],
    ['one address of its own', { addresses: ['199.59.243.225', '198.51.100.7'] }],
    ['name servers of a registrar for brands', { nameServers: ['ns1.markmonitor.com'] }],
    ['name servers that only look alike', { nameServers: ['ns1.notbodis.com'] }],
  ])('is false with %s', (_, changes) => {
    expect(isParked(facts(changes))).toBe(false);
  });

  it('does not report a parking company’s own domain as parked', () => {
    expect(isParked(facts({ domain: 'bodis.com', nameServers: ['ns1.bodis.com'] }))).toBe(false);
    expect(isParked(facts({ domain: 'mail.bodis.com', nameServers: ['ns1.bodis.com'] }))).toBe(false);
  });

  it('is null while a fact that could show it is unknown', () => {
    expect(isParked(nothingKnownOf('example.com'))).toBeNull();
    expect(isParked(facts({ nameServers: null }))).toBeNull();
    expect(isParked(facts({ addresses: null }))).toBeNull();
    expect(isParked(facts({ mailHosts: null }))).toBeNull();
    expect(isParked(facts({ nameServers: ['ns1.bodis.com'], addresses: null, mailHosts: null }))).toBe(true);
  });
});
