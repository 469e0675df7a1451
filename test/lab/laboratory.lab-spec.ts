import { Resolver } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { startLaboratory, type Laboratory } from './laboratory.js';
import { ACCEPTED } from './smtp/mail-host.js';
import { RawClient } from './smtp/raw-client.js';
import { listenUntouched } from './smtp/untouched-listener.js';
import { domainWithHosts, joinWorlds, PROBER_NAME, type World } from './world.js';

const world: World = joinWorlds(
  domainWithHosts('example.org', [{ tcp: 'refused' }, { recipients: { real: ACCEPTED } }]),
  {
    dns: {
      'pool.example.org': { A: ['mx1.example.org', 'mx2.example.org', '192.0.2.9'] },
      'fixed.example.org': { A: [] },
    },
    hosts: { 'fixed.example.org': {} },
  },
);

const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

describe('a laboratory', () => {
  const running: Laboratory[] = [];
  const start = async (which: World = world): Promise<Laboratory> => {
    const laboratory = await startLaboratory(which);
    running.push(laboratory);
    return laboratory;
  };
  const resolverOf = (laboratory: Laboratory): Resolver => {
    const resolver = new Resolver();
    resolver.setServers([laboratory.dnsServer]);
    return resolver;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((laboratory) => laboratory.stop()));
  });

  it('gives each mail host its own address and a DNS record', async () => {
    const laboratory = await start();
    const resolver = resolverOf(laboratory);
    const addresses = await Promise.all(['mx1', 'mx2'].map((host) => resolver.resolve4(`${host}.example.org`)));
    expect(addresses).toEqual([[laboratory.addressOf('mx1.example.org')], [laboratory.addressOf('mx2.example.org')]]);
    expect(new Set(addresses.flat()).size).toBe(2);
    expect(await resolver.resolve4('pool.example.org')).toEqual([...addresses.flat(), '192.0.2.9']);
    await expect(resolver.resolve4('fixed.example.org')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('listens on one port on all of them', async () => {
    const laboratory = await start();
    for (const host of ['mx2.example.org', 'fixed.example.org']) {
      const client = RawClient.to(laboratory.addressOf(host), laboratory.smtpPort);
      expect(await client.reply()).toBe(`220 ${host} ESMTP\r\n`);
      client.destroy();
    }
  });

  // Containers often come without IPv6, even on loopback.
  (hasIpv6 ? describe : describe.skip)('where the machine has IPv6', () => {
    it('has mail hosts there too', async () => {
      const laboratory = await start({ dns: {}, hosts: { 'six.example.org': { address: '::1' } } });
      expect(await resolverOf(laboratory).resolve6('six.example.org')).toEqual(['::1']);
      const client = RawClient.to('::1', laboratory.smtpPort);
      expect(await client.reply()).toMatch(/^220/);
      client.destroy();
    });
  });

  it('knows the prober by name and address', async () => {
    const resolver = resolverOf(await start());
    expect(await resolver.resolve4(PROBER_NAME)).toEqual(['127.0.0.1']);
    expect(await resolver.resolvePtr('1.0.0.127.in-addr.arpa')).toEqual([PROBER_NAME]);
  });

  it('runs in parallel with other labs', async () => {
    const several = await Promise.all(Array.from({ length: 5 }, () => start()));
    const places = several.map((laboratory) => `${laboratory.addressOf('mx2.example.org')}:${laboratory.smtpPort}`);
    expect(new Set(places).size).toBe(5);
    expect(new Set(several.map(({ dnsServer }) => dnsServer)).size).toBe(5);
  });

  it('changes records while it runs', async () => {
    const laboratory = await start();
    const resolver = resolverOf(laboratory);
    laboratory.setDns('new.example.org', { A: ['mx2.example.org'] });
    expect(await resolver.resolve4('new.example.org')).toEqual([laboratory.addressOf('mx2.example.org')]);
    laboratory.setDns('example.org', null);
    await expect(resolver.resolveMx('example.org')).rejects.toMatchObject({ code: 'ENODATA' });
    expect(laboratory.dnsQueries('new.example.org', 'A')).toBe(1);
  });

  it('stops with sessions open, and leaves nothing listening', async () => {
    const laboratory = await start();
    const address = laboratory.addressOf('mx2.example.org');
    const client = RawClient.to(address, laboratory.smtpPort);
    await client.reply();
    await laboratory.stop();
    await client.hungUp();
    expect(laboratory.openSessions).toBe(0);
    expect(await RawClient.to(address, laboratory.smtpPort).hungUp()).toBe('');
    await laboratory.stop();
  });

  it('rejects if the requested port is taken', async () => {
    const other = await listenUntouched('127.0.0.1');
    const crowded: World = { dns: {}, hosts: { 'mx.example.org': { address: '127.0.0.1' } } };
    await expect(startLaboratory(crowded, { smtpPort: other.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(other.touches).toBe(0);
    await other.close();
  });

  it('has listeners that count connections', async () => {
    const listener = await listenUntouched('127.0.0.1');
    expect(listener.touches).toBe(0);
    expect(await RawClient.to('127.0.0.1', listener.port).hungUp()).toMatch(/^550/);
    expect(listener.touches).toBe(1);
    await listener.close();
  });
});
