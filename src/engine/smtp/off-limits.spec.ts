import type { DoNotProbe } from '../signals/lists.js';
import { isOffLimits, mayConnect } from './off-limits.js';

const listing = (...listed: string[]): DoNotProbe => ({
  isNoProbe: (name) => listed.includes(name),
  isNoProbeAddress: (ip) => listed.includes(ip),
});
const HOST = { name: 'mx.example.net', preference: 10, addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'] };
const [FIRST, SECOND, IPV6] = HOST.addresses as [string, string, string];

describe('an address of a mail host', () => {
  it.each([
    ['nobody', [], true],
    ['the domain', ['example.com'], false],
    ['the host', ['mx.example.net'], false],
    ['the address', [FIRST], false],
    ['another address', [SECOND], true],
  ])('where %s is listed', (_who, listed, may) => {
    expect(mayConnect(listing(...listed), 'example.com', HOST, FIRST)).toBe(may);
  });
});

describe('a mail host', () => {
  it.each([
    ['nothing', [], false],
    ['the domain', ['example.com'], true],
    ['the host', ['mx.example.net'], true],
    ['one of its addresses', [FIRST], false],
    ['all addresses that would be tried', [FIRST, SECOND], true],
  ])('where %s is listed', (_what, listed, off) => {
    const egress = { ipv6: false };
    expect(isOffLimits(listing(...listed), 'example.com', { host: HOST, egress })).toBe(off);
  });

  it('is asked at its remaining IPv6 address if the egress supports IPv6', () => {
    const where = { host: HOST, egress: { ipv6: true } };
    expect(isOffLimits(listing(FIRST, SECOND), 'example.com', where)).toBe(false);
    expect(isOffLimits(listing(FIRST, SECOND, IPV6), 'example.com', where)).toBe(true);
  });
});
