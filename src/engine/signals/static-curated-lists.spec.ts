import { AddressRanges, parseAddressRange } from '../dns/address-range.js';
import { NO_CURATED_LISTS, StaticCuratedLists } from './static-curated-lists.js';

describe('StaticCuratedLists', () => {
  const lists = new StaticCuratedLists({
    blocked: new Map([
      ['evil.example', 'impersonates a bank'],
      ['bad.example', null],
    ]),
    spamTraps: new Set(['trap.example', 'mx.traps.example.net']),
    noProbe: new Set(['quiet.example', 'mx.quiet.example.net']),
    noProbeRanges: new AddressRanges(
      ['192.0.2.0/24', '2001:db8::/32'].flatMap((text) => parseAddressRange(text) ?? []),
    ),
  });

  it.each([
    ['evil.example', { label: 'impersonates a bank' }],
    ['mail.evil.example', { label: 'impersonates a bank' }],
    ['bad.example', { label: null }],
    ['notevil.example', null],
    ['example', null],
  ])('says of %s: blocked %j', (domain, blocked) => {
    expect(lists.blocked(domain)).toEqual(blocked);
  });

  it.each([
    ['trap.example', [], true],
    ['sub.trap.example', [], true],
    ['example.com', ['mx.example.com', 'mx.traps.example.net'], true],
    ['example.com', ['a.mx.traps.example.net'], true],
    ['example.com', ['traps.example.net'], false],
  ])('says of %s with mail hosts %j: spam trap %s', (domain, hosts, trap) => {
    expect(lists.isSpamTrap(domain, hosts)).toBe(trap);
  });

  it.each([
    ['quiet.example', true],
    ['sub.quiet.example', true],
    ['mx.quiet.example.net', true],
    ['quiet.example.net', false],
    ['disquiet.example', false],
  ])('says of the name %s: not to be probed %s', (name, listed) => {
    expect(lists.isNoProbe(name)).toBe(listed);
  });

  it.each([
    ['192.0.2.25', true],
    ['192.0.3.25', false],
    ['2001:db8::25', true],
    ['2001:db9::25', false],
  ])('says of the address %s: not to be probed %s', (ip, listed) => {
    expect(lists.isNoProbeAddress(ip)).toBe(listed);
  });

  it('lists nothing by default', () => {
    expect(NO_CURATED_LISTS.blocked('evil.example')).toBeNull();
    expect(NO_CURATED_LISTS.isSpamTrap('trap.example', ['trap.example'])).toBe(false);
    expect(NO_CURATED_LISTS.isNoProbe('quiet.example')).toBe(false);
    expect(NO_CURATED_LISTS.isNoProbeAddress('192.0.2.25')).toBe(false);
  });
});
