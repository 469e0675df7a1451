import fc from 'fast-check';
import { addressNumber, AddressRanges, parseAddressRange } from './address-range.js';

describe('parseAddressRange', () => {
  it.each([
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['192.0.2.77', '192.0.2.77/32'],
    ['255.255.255.255/1', '128.0.0.0/1'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:1::/48', '2001:db8::/48'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.77/120', '192.0.2.0/24'],
    ['::ffff:0:0/95', '::fffe:0:0/95'],
  ])('reads %s as %s', (text, canonical) => {
    expect(parseAddressRange(text)?.text).toBe(canonical);
    expect(parseAddressRange(canonical)?.text).toBe(canonical);
  });

  it.each(['', '/', '192.0.2.0/', '192.0.2.0/33', '192.0.2.0/024', '192.0.2.0/-1', '192.0.2/24', '192.0.2.0/24/24'])(
    'refuses %j',
    (text) => expect(parseAddressRange(text)).toBeNull(),
  );

  it.each(['2001:db8::/129', '2001:db8::%eth0/64', 'example.com', '10.0.0.0/8 ', '0x0a.0.0.0/8'])(
    'refuses %j too',
    (text) => expect(parseAddressRange(text)).toBeNull(),
  );

  it('returns the family and the prefix length', () => {
    expect(parseAddressRange('10.0.0.0/8')).toMatchObject({ family: 4, prefix: 8 });
    expect(parseAddressRange('2001:db8::/32')).toMatchObject({ family: 6, prefix: 32 });
  });
});

describe('AddressRanges', () => {
  const rangesOf = (...texts: string[]): AddressRanges =>
    new AddressRanges(texts.flatMap((text) => parseAddressRange(text) ?? []));

  it.each([
    ['192.0.1.255', false],
    ['192.0.2.0', true],
    ['192.0.2.255', true],
    ['192.0.3.0', false],
    ['::ffff:192.0.2.9', true],
    ['2001:db8::1', true],
    ['2001:0DB8:0:0::1', true],
    ['2001:db7:ffff::', false],
    ['2001:db9::', false],
    ['203.0.113.7', true],
    ['203.0.113.8', false],
    ['::', false],
    ['::1', false],
    ['no address', false],
  ])('says of %s: %s', (ip, listed) => {
    // Nested, doubled and out of order, as an operator lists them.
    const ranges = rangesOf('203.0.113.7', '2001:db8::/32', '192.0.2.64/26', '192.0.2.0/24', '2001:db8::/32');
    expect(ranges.has(ip)).toBe(listed);
  });

  it('contains no address when empty', () => {
    expect(rangesOf().has('192.0.2.1')).toBe(false);
  });

  it('agrees with a linear search', () => {
    const octets = fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }).map((parts) => parts.join('.'));
    const cidr = fc.tuple(octets, fc.integer({ min: 14, max: 32 })).map(([ip, prefix]) => `${ip}/${prefix}`);
    fc.assert(
      fc.property(fc.array(cidr, { maxLength: 12 }), octets, (texts, ip) => {
        const number = addressNumber(ip) ?? 0n;
        const inOne = texts.flatMap((text) => parseAddressRange(text) ?? []);
        expect(rangesOf(...texts).has(ip)).toBe(inOne.some(({ first, last }) => first <= number && number <= last));
      }),
    );
  });
});
