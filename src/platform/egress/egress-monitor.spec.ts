import type { Socket } from 'node:net';
import type { MailHostsFinding } from '../../engine/dns/mail-hosts.js';
import type { DnsAnswer, Resolver } from '../../engine/dns/resolver.js';
import { NO_CURATED_LISTS } from '../../engine/signals/static-curated-lists.js';
import { ConnectionFault, type Egress } from '../../engine/smtp/egress.js';
import { EgressMonitor, type WarningChange } from './egress-monitor.js';
import { EgressRecord } from './egress-record.js';
import { watchedEgress, type WatchedEgress } from './watched-egress.js';

const NXDOMAIN: DnsAnswer = { kind: 'nxdomain', ttlSeconds: 60, authenticated: false };
const REFERENCES = ['one.example', 'two.example', 'three.example'];

describe('EgressMonitor', () => {
  let heloAnswer: DnsAnswer = NXDOMAIN;
  let dnsWorks = true;
  let fault: ConnectionFault = new ConnectionFault('theirs', 'timeout');
  const tried: string[] = [];
  const changes: WarningChange[] = [];
  let monitor: EgressMonitor;
  let egress: WatchedEgress;

  beforeEach(() => {
    jest.useFakeTimers();
    heloAnswer = NXDOMAIN;
    dnsWorks = true;
    fault = new ConnectionFault('theirs', 'timeout');
    tried.length = 0;
    changes.length = 0;
    const inner: Egress = {
      id: 'direct/mx.example.net',
      heloName: 'mx.example.net',
      mailFrom: 'verify@mx.example.net',
      ipv6: false,
      connect: (address): Promise<Socket> => {
        tried.push(address);
        return Promise.reject(fault);
      },
    };
    egress = watchedEgress(inner, new EgressRecord({ sources: [], now: () => performance.now() + 1e9 }));
    const resolver: Resolver = { query: () => Promise.resolve(heloAnswer) };
    const findMailHosts = (domain: string): Promise<MailHostsFinding> =>
      Promise.resolve(
        dnsWorks
          ? {
              kind: 'found',
              hosts: [{ name: `mx.${domain}`, preference: 10, addresses: [`9.9.${domain.length}.1`] }],
              exchanges: [`mx.${domain}`],
              primary: `mx.${domain}`,
              ttlSeconds: 60,
            }
          : { kind: 'unavailable', why: 'no DNS' },
      );
    const doNotProbe = NO_CURATED_LISTS;
    const references = { finder: { findMailHosts }, domains: REFERENCES, doNotProbe, port: 25, connectTimeoutMs: 5000 };
    monitor = new EgressMonitor({ egresses: [egress], resolver, references });
  });
  afterEach(() => {
    monitor.stop();
    const timers = jest.getTimerCount();
    jest.useRealTimers();
    if (timers > 0) throw new Error(`${timers} timers were left running`);
  });
  const start = (): void => monitor.start((change) => changes.push(change));

  it('detects a closed port soon after the start, and logs it once', async () => {
    start();
    await jest.advanceTimersByTimeAsync(2000);
    expect(tried).toHaveLength(3);
    expect(monitor.isPortClosed(egress.id)).toBe(true);
    expect(monitor.warnings).toEqual([
      expect.stringMatching(/port 25 seems to be closed/),
      expect.stringMatching(/HELO name mx.example.net does not resolve/),
    ]);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(changes).toEqual([{ raised: monitor.warnings, settled: [] }]);
  });

  it('checks again every minute while the port is closed, and logs when it opens', async () => {
    start();
    await jest.advanceTimersByTimeAsync(2000);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(tried).toHaveLength(6);
    egress.record.connected('9.9.9.10', '9.9.9.9');
    expect(monitor.isPortClosed(egress.id)).toBe(false);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(changes.at(-1)).toEqual({
      raised: [expect.stringMatching(/reverse DNS/)],
      settled: [expect.stringMatching(/port 25/)],
    });
  });

  it('contacts no host while probes connect', async () => {
    egress.record.connected('9.9.9.10', '9.9.9.9');
    start();
    await jest.advanceTimersByTimeAsync(2000);
    expect(tried).toEqual([]);
    expect(monitor.states).toMatchObject([{ port: 'open', failing: false }]);
  });

  it('concludes nothing without DNS', async () => {
    dnsWorks = false;
    heloAnswer = { kind: 'failure', why: 'network', blame: 'resolver' };
    start();
    await jest.advanceTimersByTimeAsync(2000);
    expect(tried).toEqual([]);
    expect(monitor.states).toMatchObject([{ port: 'unknown', heloResolves: null, reverseMatches: null }]);
    expect(monitor.warnings).toEqual([]);
  });

  it('blames no port for a broken proxy', async () => {
    fault = new ConnectionFault('ours', 'proxy');
    start();
    await jest.advanceTimersByTimeAsync(2000);
    expect(monitor.states).toMatchObject([{ port: 'unknown', failing: true }]);
    expect(monitor.warnings).toContainEqual(expect.stringMatching(/check its proxy/));
  });

  it('contacts well-known hosts when several networks in a row are silent, but only once in a while', async () => {
    egress.record.connected('9.9.9.10', '9.9.9.9');
    start();
    await jest.advanceTimersByTimeAsync(120_000);
    for (let times = 0; times < 50; times += 1) {
      egress.record.failed(`8.8.${times}.1`, new ConnectionFault('theirs', 'timeout'), 5000, false);
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(tried).toHaveLength(3);
    expect(monitor.isPortClosed(egress.id)).toBe(true);
  });

  it('does nothing once stopped', async () => {
    start();
    monitor.stop();
    await jest.advanceTimersByTimeAsync(1_000_000);
    expect(tried).toEqual([]);
    expect(changes).toEqual([]);
  });
});
