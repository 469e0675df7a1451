import { Deadline } from '../../src/engine/deadline.js';
import type { MailHostsFinding } from '../../src/engine/dns/mail-hosts.js';
import { AddressRanges, parseAddressRange } from '../../src/engine/dns/address-range.js';
import {
  NOTHING_LISTED,
  StaticCuratedLists,
  type CuratedTables,
} from '../../src/engine/signals/static-curated-lists.js';
import { checkPort, type References } from '../../src/platform/egress/check-port.js';
import { createEgressPool, type EgressSettings } from '../../src/platform/egress/egress-pool.js';
import type { WatchedEgress } from '../../src/platform/egress/watched-egress.js';
import { BlackHoles } from '../lab/smtp/black-holes.js';
import { ScriptedHost, type Behaviour } from './support/scripted-host.js';

/** The do-not-probe list of an operator. */
function leavingAlone(listed: Partial<CuratedTables>): StaticCuratedLists {
  return new StaticCuratedLists({ ...NOTHING_LISTED, ...listed });
}

const UNUSED = '127.0.0.9';

describe('the port check at well-known mail hosts', () => {
  let host: ScriptedHost;
  let deadline: Deadline;
  const start = async (behaviour: Behaviour = {}): Promise<void> => {
    host = await ScriptedHost.start(behaviour);
    deadline = Deadline.after(10_000);
  };
  afterEach(async () => {
    deadline.release();
    await host.stop();
  });
  const egressOf = (over: Partial<EgressSettings> = {}): WatchedEgress => {
    const usual = { heloName: 'probe.example.net', mailFrom: null, entries: [], allowPrivateNetworks: true };
    return createEgressPool({ ...usual, ...over }).egresses[0]!;
  };
  /** Domains whose mail hosts have these addresses; null: the DNS knows nothing of it. */
  const referencesAt = (...addresses: (string | null)[]): References => ({
    domains: addresses.map((_, index) => `d${index}.example`),
    finder: {
      findMailHosts: (domain): Promise<MailHostsFinding> => {
        const address = addresses[Number(/\d+/.exec(domain)?.[0])];
        if (address === null || address === undefined) return Promise.resolve({ kind: 'unavailable', why: 'no DNS' });
        const hosts = [{ name: `mx.${domain}`, preference: 10, addresses: [address] }];
        const names = { exchanges: [`mx.${domain}`], primary: `mx.${domain}` };
        return Promise.resolve({ kind: 'found', hosts, ...names, ttlSeconds: 60 });
      },
    },
    doNotProbe: leavingAlone({}),
    port: host.port,
    connectTimeoutMs: 300,
  });

  it('greets the first one that accepts us, and quits', async () => {
    await start();
    const egress = egressOf();
    await checkPort(egress, referencesAt(host.address, UNUSED), deadline);
    expect(egress.record.port).toBe('open');
    expect(host.visits).toMatchObject([{ commands: ['QUIT'], spokeEarly: false }]);
    await host.allClosed();
  });

  it.each<[string, Behaviour]>([
    ['hangs up', { greeting: { text: null, after: 'close' } }],
    ['turns us away', { greeting: { text: '554 5.7.1 no', after: 'close' } }],
  ])('counts one that %s as reached', async (_, behaviour) => {
    await start(behaviour);
    const egress = egressOf();
    await checkPort(egress, referencesAt(host.address), deadline);
    expect(egress.record.port).toBe('open');
    await host.allClosed();
  });

  it('continues with the next one, and finds the port closed if two or more are unreachable', async () => {
    await start();
    const dropped = await BlackHoles.open(['127.0.0.8'], host.port);
    try {
      const egress = egressOf();
      await checkPort(egress, referencesAt('127.0.0.8', null, UNUSED), deadline);
      expect(egress.record.port).toBe('closed');
      await checkPort(egress, referencesAt('127.0.0.8', UNUSED, host.address), deadline);
      expect(egress.record.port).toBe('open');
    } finally {
      await dropped.close();
    }
  });

  it('concludes nothing from one unreachable host', async () => {
    await start();
    const egress = egressOf();
    await checkPort(egress, referencesAt(UNUSED, null), deadline);
    expect(egress.record.port).toBe('unknown');
  });

  it('ignores private addresses without connecting to them', async () => {
    await start();
    const egress = egressOf({ allowPrivateNetworks: false });
    await checkPort(egress, referencesAt(host.address, host.address, host.address), deadline);
    expect(egress.record.port).toBe('unknown');
    expect(host.visits).toEqual([]);
  });

  it.each<[string, (address: string) => Partial<CuratedTables>]>([
    ['domain', () => ({ noProbe: new Set(['d0.example']) })],
    ['mail host', () => ({ noProbe: new Set(['mx.d0.example']) })],
    ['address', (address) => ({ noProbeRanges: new AddressRanges([parseAddressRange(address)!]) })],
  ])('skips one whose %s is on the do-not-probe list', async (_, listed) => {
    await start();
    const egress = egressOf();
    const doNotProbe = leavingAlone(listed(host.address));
    await checkPort(egress, { ...referencesAt(host.address, UNUSED), doNotProbe }, deadline);
    expect(egress.record.port).toBe('unknown');
    expect(host.visits).toEqual([]);
  });

  it('ends with its deadline, whatever the host does, without a conclusion', async () => {
    await start({ greeting: { text: null } });
    deadline.release();
    deadline = Deadline.after(200);
    const egress = egressOf();
    await checkPort(egress, referencesAt(host.address), deadline);
    await host.allClosed();
    await checkPort(egress, referencesAt(UNUSED, UNUSED), deadline);
    expect(egress.record.port).toBe('open');
  });

  it('blames a broken proxy, not the port', async () => {
    await start();
    const login = null;
    const entries = [{ kind: 'socks5', host: UNUSED, port: host.port, login, heloName: 'mx.example.net' }] as const;
    const egress = egressOf({ entries });
    await checkPort(egress, referencesAt(host.address, host.address, host.address), deadline);
    expect([egress.record.port, egress.record.failing]).toEqual(['unknown', true]);
  });
});
