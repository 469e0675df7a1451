import { egressId, isHeloName, parseSmtpEgress, type EgressEntry } from './parse-smtp-egress.js';

function entries(text: string): readonly EgressEntry[] {
  const parsed = parseSmtpEgress(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return parsed.entries;
}

describe('parseSmtpEgress', () => {
  it('reads a source address with its HELO name', () => {
    expect(entries('198.51.100.7=MX1.example.com')).toEqual([
      { kind: 'direct', ipv4: '198.51.100.7', ipv6: null, heloName: 'mx1.example.com' },
    ]);
  });

  it('reads one source address of each family, in any order', () => {
    const both = { kind: 'direct', ipv4: '198.51.100.7', ipv6: '2001:db8::7', heloName: 'mx1.example.com' };
    expect(entries('198.51.100.7+2001:DB8::7=mx1.example.com')).toEqual([both]);
    expect(entries('2001:db8::7 + 198.51.100.7 = mx1.example.com')).toEqual([both]);
  });

  it('reads a proxy with all its parts', () => {
    expect(entries('socks5://user:p%2C%3D%40%3Ass@Proxy.example.net:1081=mx2.example.com')).toEqual([
      {
        kind: 'socks5',
        host: 'proxy.example.net',
        port: 1081,
        login: { user: 'user', password: 'p,=@:ss' },
        heloName: 'mx2.example.com',
      },
    ]);
  });

  it('reads a proxy with only a host, IPv6 included', () => {
    expect(entries('socks5://10.0.0.5=mx2.example.com, socks5://[2001:db8::5]=mx3.example.com')).toMatchObject([
      { host: '10.0.0.5', port: 1080, login: null },
      { host: '2001:db8::5', port: 1080, login: null },
    ]);
  });

  it('reads a list', () => {
    expect(entries('198.51.100.7=mx1.example.com, socks5://proxy.example.net=mx2.example.com')).toHaveLength(2);
  });

  it.each([
    ['', 'must be'],
    ['198.51.100.7', 'must be'],
    ['198.51.100.7=', 'HELO'],
    ['198.51.100.7=localhost', 'HELO'],
    ['198.51.100.7=mx_1.example.com', 'HELO'],
    ['198.51.100.7=198.51.100.7', 'HELO'],
    ['198.51.100.700=mx1.example.com', 'source'],
    ['mx1.example.com=mx1.example.com', 'source'],
    ['198.51.100.7+198.51.100.8=mx1.example.com', 'family'],
    ['http://proxy.example.net=mx2.example.com', 'socks5://'],
    ['socks5h://proxy.example.net=mx2.example.com', 'socks5://'],
    ['socks5://=mx2.example.com', 'socks5://'],
    ['socks5://proxy.example.net:99999=mx2.example.com', 'socks5://'],
    ['socks5://proxy.example.net/path=mx2.example.com', 'socks5://'],
    ['socks5://user@proxy.example.net=mx2.example.com', 'both'],
    ['socks5://user:%ff@proxy.example.net=mx2.example.com', 'percent-encoded'],
  ])('refuses %j', (text, word) => {
    const parsed = parseSmtpEgress(text);
    expect(parsed).toEqual({ ok: false, faults: [{ entry: 1, rule: expect.stringContaining(word) }] });
  });

  it('reports all faults at once, by the number of the entry', () => {
    const parsed = parseSmtpEgress('nonsense,198.51.100.7=mx1.example.com,,198.51.100.7=mx1.example.com');
    expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.entry)).toEqual([1, 3, 4]);
  });

  it.each([
    'socks5://user:secret@proxy.example.net:x=mx',
    'socks5://secret@proxy=mx.example.com',
    'secret=secret',
    'secret',
  ])('never repeats the value %j', (text) => {
    const parsed = parseSmtpEgress(text);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });
});

describe('egressId', () => {
  it('names the route and the identity, without user and password', () => {
    const [direct, both, proxy] = entries(
      '198.51.100.7=mx1.example.com,198.51.100.8+2001:db8::8=mx2.example.com,socks5://user:secret@proxy.example.net=mx3.example.com',
    ).map(egressId);
    expect(direct).toBe('direct:198.51.100.7/mx1.example.com');
    expect(both).toBe('direct:198.51.100.8+2001:db8::8/mx2.example.com');
    expect(proxy).toBe('socks5:proxy.example.net:1080/mx3.example.com');
  });
});

describe('isHeloName', () => {
  it.each(['mx1.example.com', 'a.b', 'xn--bcher-kva.example'])('takes %s', (name) =>
    expect(isHeloName(name)).toBe(true),
  );
  it.each(['', 'localhost', 'mx1.', '.example.com', '-a.example.com', '192.0.2.1', 'a b.example.com', '[192.0.2.1]'])(
    'refuses %j',
    (name) => expect(isHeloName(name)).toBe(false),
  );
});
