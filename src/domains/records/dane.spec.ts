import type { DnsAnswer, RecordData } from '../../engine/dns/resolver.js';
import { daneFact, isUsableTlsa, tlsaName, type TlsaRecord } from './dane.js';
import { dnssecFact } from './dnssec.js';

const tlsa = (usage: number, selector: number, matchingType: number, octets: number): TlsaRecord => ({
  type: 'TLSA',
  usage,
  selector,
  matchingType,
  certificate: Buffer.alloc(octets),
});
const records = (authenticated: boolean, ...data: RecordData[]): DnsAnswer => ({
  kind: 'records',
  records: data,
  ttlSeconds: 60,
  authenticated,
});
const none = (kind: 'nxdomain' | 'nodata', authenticated = true): DnsAnswer => ({
  kind,
  ttlSeconds: 60,
  authenticated,
});
const failure = (why: 'servfail' | 'timeout'): DnsAnswer => ({ kind: 'failure', why, blame: 'domain' });
const MX: RecordData = { type: 'MX', preference: 10, exchange: 'mx.example.com' };

describe('isUsableTlsa', () => {
  it.each([
    [tlsa(3, 1, 1, 32), true],
    [tlsa(2, 0, 2, 64), true],
    [tlsa(3, 0, 0, 700), true],
    [tlsa(0, 1, 1, 32), false],
    [tlsa(1, 1, 1, 32), false],
    [tlsa(255, 1, 1, 32), false],
    [tlsa(3, 2, 1, 32), false],
    [tlsa(3, 1, 3, 32), false],
    [tlsa(3, 1, 1, 20), false],
    [tlsa(3, 1, 0, 0), false],
  ])('%j: %s', (record, usable) => {
    expect(isUsableTlsa(record)).toBe(usable);
  });

  it('asks for port 25 of the mail host', () => {
    expect(tlsaName('mx.example.com')).toBe('_25._tcp.mx.example.com');
  });
});

describe('daneFact', () => {
  const mx = records(true, MX);
  const secure = records(true, tlsa(1, 1, 1, 32), tlsa(3, 1, 1, 32));
  const lookUps = { resolverValidates: true, mx, tlsa: [secure, secure] };

  it('is true when every mail host has a usable record and every answer is secure', () => {
    expect(daneFact(lookUps)).toBe(true);
    expect(daneFact({ ...lookUps, mx: none('nodata') })).toBe(true);
  });

  it.each<[string, DnsAnswer]>([
    ['has no TLSA record', none('nxdomain')],
    ['has TLSA records that are not secure', records(false, tlsa(3, 1, 1, 32))],
    ['has no usable one', records(true, tlsa(1, 1, 1, 32))],
  ])('is false when one mail host %s, even if another could not be asked', (_, answer) => {
    expect(daneFact({ ...lookUps, tlsa: [secure, answer, failure('timeout')] })).toBe(false);
  });

  it('is false when the MX answer is not secure, or there is no mail host', () => {
    expect(daneFact({ ...lookUps, mx: records(false, MX) })).toBe(false);
    expect(daneFact({ ...lookUps, tlsa: [] })).toBe(false);
    expect(daneFact({ ...lookUps, mx: none('nxdomain') })).toBe(false);
  });

  it('is null without a validating resolver, and when a deciding answer failed', () => {
    expect(daneFact({ ...lookUps, resolverValidates: false })).toBeNull();
    expect(daneFact({ ...lookUps, mx: failure('servfail') })).toBeNull();
    expect(daneFact({ ...lookUps, tlsa: [secure, failure('servfail')] })).toBeNull();
  });
});

describe('dnssecFact', () => {
  const resolverValidates = true;

  it('reads the AD bit', () => {
    expect(dnssecFact({ resolverValidates, checked: records(true, MX) })).toBe('secure');
    expect(dnssecFact({ resolverValidates, checked: records(false, MX) })).toBe('insecure');
    expect(dnssecFact({ resolverValidates, checked: none('nodata', false) })).toBe('insecure');
  });

  it('is bogus when the query succeeds only with checking disabled', () => {
    const checked = failure('servfail');
    expect(dnssecFact({ resolverValidates, checked, unchecked: records(false, MX) })).toBe('bogus');
    expect(dnssecFact({ resolverValidates, checked, unchecked: none('nxdomain', false) })).toBe('bogus');
  });

  it('is null without any answer, or if the resolver does not validate', () => {
    expect(dnssecFact({ resolverValidates, checked: failure('servfail'), unchecked: failure('servfail') })).toBeNull();
    expect(dnssecFact({ resolverValidates, checked: failure('servfail') })).toBeNull();
    expect(dnssecFact({ resolverValidates, checked: failure('timeout'), unchecked: records(false, MX) })).toBeNull();
    expect(dnssecFact({ resolverValidates: false, checked: records(true, MX) })).toBeNull();
  });
});
