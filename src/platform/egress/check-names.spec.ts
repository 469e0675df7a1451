import { Deadline } from '../../engine/deadline.js';
import type { DnsAnswer, RecordData, Resolver } from '../../engine/dns/resolver.js';
import { checkNames } from './check-names.js';

const HELO = 'mx.example.net';
const records = (...data: RecordData[]): DnsAnswer => ({
  kind: 'records',
  records: data,
  ttlSeconds: 60,
  authenticated: false,
});
const NODATA: DnsAnswer = { kind: 'nodata', ttlSeconds: 60, authenticated: false };
const FAILED: DnsAnswer = { kind: 'failure', why: 'timeout', blame: 'resolver' };
const A = records({ type: 'A', address: '9.9.9.9' });
const PTR = '9.9.9.9.in-addr.arpa PTR';

describe('checkNames', () => {
  const deadline = Deadline.after(1000);
  afterAll(() => deadline.release());
  const found = (answers: Record<string, DnsAnswer>, sources: readonly string[] = []) => {
    const resolver: Resolver = { query: (name, type) => Promise.resolve(answers[`${name} ${type}`] ?? NODATA) };
    return checkNames(resolver, HELO, sources, deadline);
  };

  it.each<[string, Record<string, DnsAnswer>, boolean | null]>([
    ['an IPv4 address', { [`${HELO} A`]: A }, true],
    ['an IPv6 address only', { [`${HELO} AAAA`]: records({ type: 'AAAA', address: '2001:db8::1' }) }, true],
    ['no address', {}, false],
    ['DNS that fails', { [`${HELO} A`]: FAILED }, null],
    [
      'an address of one family, and DNS that fails for the other',
      { [`${HELO} A`]: A, [`${HELO} AAAA`]: FAILED },
      true,
    ],
  ])('with %s', async (_, answers, heloResolves) => {
    expect((await found(answers)).heloResolves).toBe(heloResolves);
  });

  it.each<[string, Record<string, DnsAnswer>, boolean | null]>([
    ['its name', { [PTR]: records({ type: 'PTR', name: 'other.example' }, { type: 'PTR', name: HELO }) }, true],
    ['another name', { [PTR]: records({ type: 'PTR', name: 'host-9-9-9-9.example' }) }, false],
    ['no name', {}, false],
    ['nothing, for the DNS fails', { [PTR]: FAILED }, null],
  ])('with a source address that points to %s', async (_, answers, reverseMatches) => {
    expect((await found(answers, ['9.9.9.9'])).reverseMatches).toBe(reverseMatches);
  });

  it('skips reverse DNS while the source address is unknown', async () => {
    expect((await found({})).reverseMatches).toBeNull();
  });

  it('requires a reverse name for every source address', async () => {
    const answers = { [PTR]: records({ type: 'PTR', name: HELO }) };
    expect((await found(answers, ['9.9.9.9', '8.8.8.8'])).reverseMatches).toBe(false);
  });
});
