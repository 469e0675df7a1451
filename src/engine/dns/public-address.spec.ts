import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { formatIpv6, parseIpv4, parseIpv6 } from './ip-address.js';
import { isPublicAddress } from './public-address.js';

const reachable = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.88.98.255',
  '192.88.100.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '198.51.99.255',
  '198.51.101.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:4860:4860:0:0:0:0:8888',
  '2001:DB7::1',
  '2001:db9::1',
  '2003::1',
  '2400:cb00::1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2c0f:fb50::1',
  '3fff:1000::1',
];

const forbidden = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1', '0000::0001'],
  'link-local and metadata': ['169.254.0.1', '169.254.169.254', '169.254.255.255', 'fe80::1', 'febf::1'],
  'IETF protocols': ['192.0.0.1', '192.0.0.170', '192.0.0.255', '2001::1', '2001:1ff::1', '2001:20::1'],
  documentation: [
    '192.0.2.1',
    '198.51.100.255',
    '203.0.113.0',
    '2001:db8::1',
    '2001:DB8:ffff::',
    '3fff::1',
    '3fff:fff::',
  ],
  benchmarking: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  '6to4': ['192.88.99.1', '2002::1', '2002:7f00:1::', '2002:808:808::1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.254', '255.255.255.255', '4000::1', 'e000::1', '1fff:ffff::1'],
  unspecified: ['::', '0:0:0:0:0:0:0:0', '0::0'],
  'unique local and site-local': ['fc00::1', 'fd12:3456:789a::1', 'fdff::', 'fec0::1'],
  'IPv4-mapped in any spelling': [
    '::ffff:127.0.0.1',
    '::FFFF:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:7f00:0001',
    '0:0:0:0:0:ffff:127.0.0.1',
    '0000:0000:0000:0000:0000:ffff:7f00:0001',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '0::ffff:8.8.8.8',
  ],
  'IPv4-compatible and translated': ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  'discard, SRv6, 6bone': ['100::1', '5f00::1', '3ffe::1'],
  'zones and other spellings': ['fe80::1%eth0', '2606:4700::1%1', '[::1]', '[2606:4700:4700::1111]', '2606:4700::/32'],
  'octal, hexadecimal, short and padded IPv4': [
    '0177.0.0.1',
    '010.8.8.8',
    '08.8.8.8',
    '0x7f.0.0.1',
    '0x7f000001',
    '127.1',
    '2130706433',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.8.',
    '.8.8.8.8',
    '8..8.8',
    ' 8.8.8.8',
    '8.8.8.8\n',
    '8.8.8.256',
    '8.8.8.-1',
    '８.8.8.8',
  ],
  'no address': [
    '',
    'localhost',
    'example.com',
    ':',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    'g::',
    '2600::1::2',
  ],
};

const dotted = (ip: number): string => [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.');

describe('isPublicAddress', () => {
  it.each(reachable)('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  for (const [why, addresses] of Object.entries(forbidden)) {
    it.each(addresses)(`refuses %j: ${why}`, (ip) => {
      expect(isPublicAddress(ip)).toBe(false);
    });
  }

  it('refuses every IPv6 form with an IPv4 address inside', () => {
    const prefixes = ['::', '::ffff:', '0:0:0:0:0:ffff:', '::ffff:0:', '64:ff9b::'];
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom(...prefixes), (ip, prefix) =>
        expect(isPublicAddress(prefix + ip)).toBe(false),
      ),
    );
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(typeof isPublicAddress(text)).toBe('boolean')));
  });

  it('agrees with an independent table on any IPv4 address, and at both ends of its ranges', () => {
    const special = new BlockList();
    const ends: string[] = [];
    for (const [network, bits] of [
      ['0.0.0.0', 8],
      ['10.0.0.0', 8],
      ['100.64.0.0', 10],
      ['127.0.0.0', 8],
      ['169.254.0.0', 16],
      ['172.16.0.0', 12],
      ['192.0.0.0', 24],
      ['192.0.2.0', 24],
      ['192.88.99.0', 24],
      ['192.168.0.0', 16],
      ['198.18.0.0', 15],
      ['198.51.100.0', 24],
      ['203.0.113.0', 24],
      ['224.0.0.0', 3],
    ] as const) {
      special.addSubnet(network, bits);
      const first = parseIpv4(network)!;
      const last = first + 2 ** (32 - bits) - 1;
      ends.push(...[first - 1, first, last, last + 1].filter((ip) => ip >= 0 && ip < 2 ** 32).map(dotted));
    }
    expect(ends.map((ip) => [ip, isPublicAddress(ip)])).toEqual(ends.map((ip) => [ip, !special.check(ip)]));
    fc.assert(
      fc.property(fc.ipV4(), (ip) => isPublicAddress(ip) === !special.check(ip)),
      { numRuns: 2_000 },
    );
  });
});

describe('address parsers', () => {
  it('accept the plain spellings that the platform accepts', () => {
    fc.assert(fc.property(fc.ipV4(), (ip) => parseIpv4(ip) !== null));
    fc.assert(fc.property(fc.ipV6(), (ip) => (parseIpv6(ip) !== null) === isIPv6(ip)));
  });

  it('refuse what the platform refuses', () => {
    const nearly = fc.stringMatching(/^[0-9a-f:.]{0,24}$/);
    fc.assert(
      fc.property(nearly, (text) => (parseIpv6(text) !== null) === isIPv6(text)),
      { numRuns: 5_000 },
    );
    fc.assert(
      fc.property(nearly, (text) => (parseIpv4(text) !== null) === isIPv4(text)),
      { numRuns: 5_000 },
    );
  });

  it.each([
    '1:2:3:4::5:6:7:8',
    '1:2:3:4:5:6:7:8:9',
    '192.0.2.1::',
    '::192.0.2.1:5',
    '1:192.0.2.1::',
    '192.0.2.1:5::6',
    ':',
  ])('refuse %s', (text) => {
    expect([isIPv6(text), parseIpv6(text)]).toEqual([false, null]);
  });

  it('format the canonical form, which parses to the same address', () => {
    expect(formatIpv6([0x2001, 0xdb8, 0, 0, 1, 0, 0, 1])).toBe('2001:db8::1:0:0:1');
    expect(formatIpv6([0, 0, 0, 0, 0, 0, 0, 0])).toBe('::');
    expect(formatIpv6([0, 0, 0, 0, 0, 0, 0, 1])).toBe('::1');
    expect(formatIpv6([1, 0, 0, 0, 0, 0, 0, 0])).toBe('1::');
    expect(formatIpv6([1, 0, 2, 3, 4, 5, 6, 7])).toBe('1:0:2:3:4:5:6:7');
    expect(formatIpv6([1, 0, 0, 2, 0, 0, 0, 3])).toBe('1:0:0:2::3');
    const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 });
    fc.assert(fc.property(groups, (value) => expect(parseIpv6(formatIpv6(value))).toEqual(value)));
  });
});
