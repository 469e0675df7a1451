import { a, aaaa, findMailHosts, mx, silent } from '../../../test/factories/mail-zone.js';
import { Deadline } from '../deadline.js';
import type { DnsAnswer } from './resolver.js';

describe('the mail hosts of a domain whose DNS is slow', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** As `findMailHosts`, with the clock running as fast as there is something to wait for. */
  async function findSoon(...args: Parameters<typeof findMailHosts>): ReturnType<typeof findMailHosts> {
    const found = findMailHosts(...args);
    await jest.advanceTimersByTimeAsync(5_000);
    return found;
  }

  it('does not delay the best host for a worse one', async () => {
    const { finding, notes } = await findSoon({
      'MX example.com': mx([1, 'good.example.com'], [2, 'slow.example.com'], [3, 'other.example.com']),
      'A good.example.com': a('8.8.8.8'),
      'A slow.example.com': silent,
      'A other.example.com': a('9.9.9.9'),
    });
    expect(finding.kind === 'found' && finding.hosts.map(({ name }) => name)).toEqual([
      'good.example.com',
      'other.example.com',
    ]);
    expect(notes).toEqual(['slow.example.com is left out: its address is slow to come']);
  });

  it('does not wait for IPv6 addresses that no name server tells, if there are IPv4 ones', async () => {
    const slow = new Promise<DnsAnswer>((resolve) => {
      setTimeout(() => resolve(aaaa('2606:4700::1')), 400);
    });
    let waitedMs = 0;
    const began = performance.now();
    const found = findMailHosts(
      {
        'MX example.com': mx([1, 'one.example.com'], [2, 'two.example.com']),
        'A one.example.com': a('8.8.8.8'),
        'AAAA one.example.com': silent,
        'A two.example.com': a('9.9.9.9'),
        'AAAA two.example.com': slow,
      },
      { preferIpv6: true },
    ).finally(() => (waitedMs = performance.now() - began));
    await jest.advanceTimersByTimeAsync(5_000);
    expect((await found).finding).toMatchObject({
      hosts: [{ addresses: ['8.8.8.8'] }, { addresses: ['9.9.9.9', '2606:4700::1'] }],
    });
    expect(waitedMs).toBeLessThan(1_000);
  });

  it('waits for a better host until the deadline before it uses a worse one', async () => {
    const slow = new Promise<DnsAnswer>((resolve) => {
      setTimeout(() => resolve(a('9.9.9.9')), 3_000);
    });
    const { finding } = await findSoon({
      'MX example.com': mx([1, 'slow.example.com'], [2, 'good.example.com']),
      'A slow.example.com': slow,
      'A good.example.com': a('8.8.8.8'),
    });
    expect(finding).toMatchObject({ kind: 'found', primary: 'slow.example.com' });
  });

  it('returns the hosts known at the deadline', async () => {
    const { finding } = await findSoon(
      {
        'MX example.com': mx([1, 'slow.example.com'], [2, 'good.example.com']),
        'A slow.example.com': silent,
        'A good.example.com': a('8.8.8.8'),
      },
      { deadline: Deadline.after(50) },
    );
    expect(finding).toMatchObject({ kind: 'found', primary: 'good.example.com' });
  });

  it('concludes nothing if no host is known at the deadline', async () => {
    const zone = { 'MX example.com': mx([1, 'slow.example.com']), 'A slow.example.com': silent };
    expect((await findSoon(zone, { deadline: Deadline.after(50) })).finding).toMatchObject({ kind: 'broken' });
  });

  it('ends when the caller cancels', async () => {
    const deadline = Deadline.after(60_000);
    const zone = { 'MX example.com': mx([1, 'slow.example.com']), 'A slow.example.com': silent };
    const found = findMailHosts(zone, { deadline });
    await jest.advanceTimersByTimeAsync(10);
    deadline.cancel();
    expect((await found).finding).toMatchObject({ kind: 'broken' });
  });
});
