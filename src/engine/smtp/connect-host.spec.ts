import { addressesToTry, connectToHost } from './connect-host.js';
import { ConnectionFault } from './egress.js';

const V4 = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
const V6 = ['2001:db8::1', '2001:db8::2'];

/** By default of one host of several, with an IPv4 identity of ours only. */
function tried(addresses: readonly string[], ipv6 = false, othersWait = false, listed: readonly string[] = []) {
  return addressesToTry({
    host: { name: 'mx.example.com', preference: 10, addresses },
    egress: { ipv6 },
    othersWait,
    mayConnect: (address) => !listed.includes(address),
  });
}

describe('addressesToTry', () => {
  it('leaves out IPv6 if there is IPv4 and we have no IPv6 identity', () => {
    expect(tried([...V6, '192.0.2.1'])).toEqual(['192.0.2.1']);
  });

  it('puts IPv4 first if the egress has an IPv6 identity', () => {
    expect(tried([...V6, '192.0.2.1'], true)).toEqual(['192.0.2.1', ...V6]);
  });

  it('uses IPv6 if the host has nothing else', () => {
    expect(tried(V6)).toEqual(V6);
  });

  it('limits the addresses of one host', () => {
    expect(tried(V4)).toHaveLength(4);
    expect(tried(V4, false, true)).toHaveLength(2);
  });

  it('tries IPv6 too if the host has many IPv4 addresses', () => {
    expect(tried([...V4, ...V6], true)).toEqual([...V4.slice(0, 3), V6[0]]);
    expect(tried([...V4, ...V6], true, true)).toEqual([V4[0], V6[0]]);
    expect(tried([...V4, ...V6], true, false, V6)).toEqual(V4.slice(0, 4));
  });

  it('skips addresses to which we may not connect', () => {
    expect(tried(V4, false, true, V4.slice(0, 3))).toEqual(V4.slice(3));
    expect(tried(V4, false, false, V4)).toEqual([]);
  });

  it('does not fall back to IPv6 if we may not connect to the IPv4 addresses', () => {
    expect(tried([...V4, ...V6], false, false, V4)).toEqual([]);
  });
});

describe('connectToHost', () => {
  it('leaves an address alone that was listed after another was tried', async () => {
    const listed: string[] = [];
    const asked: string[] = [];
    const egress = {
      id: 'direct',
      heloName: 'probe.example.net',
      mailFrom: 'verify@probe.example.net',
      ipv6: false,
      connect: async (address: string) => {
        asked.push(address);
        listed.push(V4[1]!);
        throw new ConnectionFault('theirs', 'refused');
      },
    };
    const connection = await connectToHost({
      host: { name: 'mx.example.com', preference: 10, addresses: V4.slice(0, 3) },
      egress,
      port: 25,
      othersWait: false,
      mayConnect: (address) => !listed.includes(address),
      budgetMs: () => 1_000,
      signal: new AbortController().signal,
      note: () => undefined,
    });
    expect(connection).toEqual({ kind: 'failed', theirs: true, ours: null });
    expect(asked).toEqual([V4[0], V4[2]]);
  });
});
