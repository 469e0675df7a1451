import { parseBlockedDomain, parseNoProbe, parseSpamTrap } from './parse-entry.js';

const ALL = { parseBlockedDomain, parseSpamTrap, parseNoProbe };

describe.each(Object.entries(ALL))('%s', (_, parse) => {
  it.each([
    ['example.com', 'example.com'],
    [' Evil.EXAMPLE.com. ', 'evil.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example。', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['sub.example.co.uk', 'sub.example.co.uk'],
    ['example.test', 'example.test'],
    // Owned by somebody, although others have names below it.
    ['github.io', 'github.io'],
  ])('reads %j as %s', (text, entry) => {
    expect(parse(text)).toEqual({ ok: true, entry });
  });

  it.each([
    ['ada@example.com', /is an address: type only its domain/],
    ['*.example.com', /without \*/],
    ['com', /public suffix/],
    ['co.uk.', /public suffix/],
    ['公司.cn', /public suffix/],
    ['example', /must be a domain/],
    ['', /must be a domain/],
    ['https://example.com/', /must be a domain/],
    ['example..com', /must be a domain/],
    ['-example.com', /must be a domain/],
    [`${'a'.repeat(64)}.com`, /must be a domain/],
    ['exam ple.com', /must be a domain/],
    ['example.com,', /must be a domain/],
  ])('refuses %j: %s', (text, rule) => {
    expect(parse(text)).toEqual({ ok: false, rule: expect.stringMatching(rule) });
  });
});

describe('names of mail hosts', () => {
  it('may contain underscores, unlike names of domains', () => {
    expect(parseNoProbe('MX_1.example.com.')).toEqual({ ok: true, entry: 'mx_1.example.com' });
    expect(parseSpamTrap('mx_1.example.com')).toEqual({ ok: true, entry: 'mx_1.example.com' });
    expect(parseBlockedDomain('mx_1.example.com')).toMatchObject({ ok: false });
    expect(parseNoProbe('mx_1')).toMatchObject({ ok: false });
  });
});

describe('ranges of addresses', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77/32'],
    [' 192.0.2.77/24', '192.0.2.0/24'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['2001:DB8::1/48', '2001:db8::/48'],
    ['2001:db8::25', '2001:db8::25/128'],
  ])('reads the range %j as %s', (text, entry) => {
    expect(parseNoProbe(text)).toEqual({ ok: true, entry });
  });

  it.each(['0.0.0.0/0', '10.0.0.0/7', '2000::/3', '::/0', '::ffff:0:0/96'])(
    'refuse %s, which is half the net',
    (text) => {
      expect(parseNoProbe(text)).toEqual({ ok: false, rule: expect.stringMatching(/at least \/8/) });
    },
  );

  it.each(['192.0.2.0/33', '192.0.2/24', '2001:db8::/129'])('refuses %s, which is no range', (text) => {
    expect(parseNoProbe(text)).toEqual({ ok: false, rule: expect.stringMatching(/address range such as/) });
  });

  it('are refused on a blocklist', () => {
    expect(parseBlockedDomain('192.0.2.1')).toMatchObject({ ok: false });
    expect(parseSpamTrap('192.0.2.0/24')).toMatchObject({ ok: false });
  });
});
