import type { DnsAnswer } from '../../engine/dns/resolver.js';
import { parseIpv4 } from '../../engine/dns/ip-address.js';
import { countListings, passesSelfTest, readBlacklistAnswer, type BlacklistReading } from './blacklist-answer.js';
import { blacklistQuestion, selfTestQuestions } from './blacklist-question.js';
import { blacklistOf } from './blacklist.js';
import { BLACKLISTS } from './data/blacklists.js';

const rest = { ttlSeconds: 60, authenticated: false };
const answers = (...addresses: string[]): DnsAnswer => ({
  kind: 'records',
  records: addresses.map((address) => ({ type: 'A', address })),
  ...rest,
});
const NXDOMAIN: DnsAnswer = { kind: 'nxdomain', ...rest };
const TIMEOUT: DnsAnswer = { kind: 'failure', why: 'timeout', blame: 'domain' };
const unknownIp = blacklistOf('bl.example.com');
const unknownDomains = blacklistOf('dbl.example.com', 'domain');

describe('blacklistQuestion', () => {
  it('reverses addresses', () => {
    expect(blacklistQuestion(unknownIp, '192.0.2.9')).toBe('9.2.0.192.bl.example.com');
    expect(blacklistQuestion(unknownIp, '2001:db8::1')).toBe(
      '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.bl.example.com',
    );
  });

  it('never asks a list of addresses about a domain, or a list of domains about an address', () => {
    expect(blacklistQuestion(unknownDomains, 'example.org')).toBe('example.org.dbl.example.com');
    expect(blacklistQuestion(unknownDomains, '192.0.2.9')).toBeNull();
    expect(blacklistQuestion(unknownIp, 'example.org')).toBeNull();
  });

  it('knows a name that must be listed and one that must not', () => {
    expect(selfTestQuestions(unknownIp)).toEqual({
      listed: '2.0.0.127.bl.example.com',
      unlisted: '1.0.0.127.bl.example.com',
    });
    expect(selfTestQuestions(unknownDomains)).toEqual({
      listed: 'test.dbl.example.com',
      unlisted: 'invalid.dbl.example.com',
    });
    expect(selfTestQuestions(blacklistOf('dbl.spamhaus.org')).listed).toBe('dbltest.com.dbl.spamhaus.org');
  });
});

describe('readBlacklistAnswer', () => {
  it.each<[string, DnsAnswer, BlacklistReading]>([
    ['bl.example.com', answers('127.0.0.2'), 'listed'],
    ['bl.example.com', NXDOMAIN, 'not_listed'],
    ['bl.example.com', TIMEOUT, 'error'],
    ['bl.example.com', answers('203.0.113.7'), 'error'],
    ['bl.example.com', answers('127.0.0.1'), 'error'],
    ['bl.example.com', answers('127.255.255.255'), 'error'],
    ['bl.example.com', answers('127.0.0.2', '127.255.255.254'), 'error'],
    ['bl.example.com', answers('127.0.0.2', '203.0.113.7'), 'error'],
    ['zen.spamhaus.org', answers('127.0.0.4', '127.0.0.10'), 'listed'],
    ['zen.spamhaus.org', answers('127.0.0.10', '127.0.0.11'), 'not_listed'],
    ['zen.spamhaus.org', answers('127.255.255.254'), 'error'],
    ['key.zen.dq.spamhaus.net', answers('127.0.0.3'), 'listed'],
    ['dbl.spamhaus.org', answers('127.0.1.4'), 'listed'],
    ['dbl.spamhaus.org', answers('127.0.1.104'), 'not_listed'],
    ['dbl.spamhaus.org', answers('127.0.1.255'), 'error'],
    ['key.zrd.dq.spamhaus.net', answers('127.0.2.3'), 'not_listed'],
    ['multi.surbl.org', answers('127.0.0.80'), 'listed'],
    ['multi.surbl.org', answers('127.0.0.128'), 'not_listed'],
    ['multi.surbl.org', answers('127.0.0.1'), 'error'],
    ['multi.uribl.com', answers('127.0.0.14'), 'listed'],
    ['multi.uribl.com', answers('127.0.0.4'), 'not_listed'],
    ['multi.uribl.com', answers('127.0.0.1'), 'error'],
    ['rep.mailspike.net', answers('127.0.0.11'), 'listed'],
    ['rep.mailspike.net', answers('127.0.0.18'), 'not_listed'],
    ['list.dnswl.org', answers('127.0.5.3'), 'not_listed'],
    ['list.dnswl.org', answers('127.0.0.255'), 'error'],
    ['dnsbl.sorbs.net', answers('127.0.0.2'), 'error'],
  ])('%s: %j is %s', (zone, answer, expected) => {
    expect(readBlacklistAnswer(blacklistOf(zone), answer)).toBe(expected);
  });

  it('hides a customer’s key in the name of a list', () => {
    expect(blacklistOf('key.zen.dq.spamhaus.net')).toMatchObject({
      name: 'Spamhaus ZEN',
      zone: 'key.zen.dq.spamhaus.net',
    });
  });

  it('has a table of valid addresses', () => {
    for (const { listed, errors = [] } of BLACKLISTS) {
      for (const rule of [...listed, ...errors]) {
        if (rule.startsWith('&')) expect(Number(rule.slice(1))).toBeGreaterThan(0);
        else for (const end of rule.split('-')) expect(parseIpv4(end)).not.toBeNull();
      }
    }
  });
});

describe('passesSelfTest', () => {
  it('passes a list that lists only the test name', () => {
    expect(passesSelfTest(unknownIp, { listed: answers('127.0.0.2'), unlisted: NXDOMAIN })).toBe(true);
  });

  it('fails a list that is empty, lists everything, or does not answer', () => {
    expect(passesSelfTest(unknownIp, { listed: NXDOMAIN, unlisted: NXDOMAIN })).toBe(false);
    expect(passesSelfTest(unknownIp, { listed: answers('127.0.0.2'), unlisted: answers('127.0.0.2') })).toBe(false);
    expect(passesSelfTest(unknownIp, { listed: answers('127.0.0.2'), unlisted: TIMEOUT })).toBe(false);
  });
});

describe('countListings', () => {
  it('counts lists, not hits', () => {
    expect(countListings([['listed', 'listed'], ['not_listed'], ['error', 'listed']])).toBe(2);
    expect(countListings([['not_listed', 'error']])).toBe(0);
  });

  it('is null when no list gave a valid answer', () => {
    expect(countListings([])).toBeNull();
    expect(countListings([['error'], []])).toBeNull();
  });
});
