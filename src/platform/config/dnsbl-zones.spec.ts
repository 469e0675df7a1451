import { parseDnsblZones } from './dnsbl-zones.js';

describe('DNSBL_ZONES', () => {
  it('reads zones, with the kind of entries for unknown ones', () => {
    expect(parseDnsblZones('Zen.Spamhaus.org., bl.example.net=ip,dbl.example.net=domain')).toEqual([
      { zone: 'zen.spamhaus.org', lists: null },
      { zone: 'bl.example.net', lists: 'ip' },
      { zone: 'dbl.example.net', lists: 'domain' },
    ]);
    expect(parseDnsblZones('abc_def-123.zen.dq.spamhaus.net')).toHaveLength(1);
  });

  it('is empty for an empty text', () => {
    expect(parseDnsblZones('none')).toEqual([]);
  });

  it.each([
    ['bl.example.net,', 'entry 2'],
    ['bl.example.net=url', 'entry 1'],
    ['a.example=ip=ip', 'entry 1'],
    ['example', 'entry 1'],
    ['bl..example', 'entry 1'],
    ['-bl.example', 'entry 1'],
    ['bl.example.net/24', 'entry 1'],
    [`${'a.'.repeat(100)}example`, 'entry 1'],
    ['a.example,b.example,a.example=ip', 'each zone once'],
    [Array.from({ length: 21 }, (_, i) => `bl${i}.example`).join(','), 'at most 20'],
  ])('refuses %s without repeating the value', (text, rule) => {
    expect(() => parseDnsblZones(text)).toThrow(rule);
    expect(() => parseDnsblZones(text)).not.toThrow(text);
  });
});
