import { formatDnsServer, parseDnsServers, parseResolvConf } from './dns-servers.js';

describe('parseDnsServers', () => {
  it.each([
    ['127.0.0.1', [{ address: '127.0.0.1', port: 53 }]],
    ['127.0.0.1:5353', [{ address: '127.0.0.1', port: 5353 }]],
    ['::1', [{ address: '::1', port: 53 }]],
    ['[::1]', [{ address: '::1', port: 53 }]],
    ['[2001:DB8:0:0::1]:5353', [{ address: '2001:db8::1', port: 5353 }]],
    ['[fe80::1%eth0]:53', [{ address: 'fe80::1%eth0', port: 53 }]],
    [
      ' 192.0.2.1 , 192.0.2.2:54 ',
      [
        { address: '192.0.2.1', port: 53 },
        { address: '192.0.2.2', port: 54 },
      ],
    ],
    ['192.0.2.1,192.0.2.1:53', [{ address: '192.0.2.1', port: 53 }]],
  ])('reads %s', (text, servers) => {
    expect(parseDnsServers(text)).toEqual(servers);
  });

  it.each(['', ',', '127.0.0.1,', 'localhost', '127.0.0.1:', '127.0.0.1:0', '127.0.0.1:65536', '127.1', '[127.0.0.1]'])(
    'refuses %j',
    (text) => {
      expect(() => parseDnsServers(text)).toThrow(RangeError);
    },
  );

  it('names the position and the rule in an error, never the value', () => {
    expect(() => parseDnsServers('192.0.2.1,secret.example')).toThrow(/^entry 2 must be ip, ip:port or \[ip6\]:port$/);
  });

  it('limits the length of the list', () => {
    const nine = Array.from({ length: 9 }, (_, index) => `192.0.2.${index}`).join();
    expect(() => parseDnsServers(nine)).toThrow('at most 8 servers');
  });

  it('formats what it parses', () => {
    for (const text of ['127.0.0.1:53', '[::1]:5353']) {
      expect(parseDnsServers(text).map(formatDnsServer)).toEqual([text]);
    }
  });
});

describe('parseResolvConf', () => {
  it('reads at most three name servers and ignores the rest', () => {
    const text = [
      '# nameserver 192.0.2.9',
      'search example.com',
      'nameserver 192.0.2.1',
      'nameserver   fe80::1%eth0  # the router',
      'nameserver bogus',
      'options ndots:5',
      'nameserver 2001:db8::53',
      'nameserver 192.0.2.4',
    ].join('\n');
    expect(parseResolvConf(text).map(({ address }) => address)).toEqual(['192.0.2.1', 'fe80::1%eth0', '2001:db8::53']);
  });

  it('falls back to the name server on this machine', () => {
    expect(parseResolvConf('')).toEqual([{ address: '127.0.0.1', port: 53 }]);
  });
});
