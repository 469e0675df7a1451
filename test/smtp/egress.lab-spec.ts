import { createServer, type Socket } from 'node:net';
import { Deadline } from '../../src/engine/deadline.js';
import type { Egress } from '../../src/engine/smtp/egress.js';
import { clearance, type Clearance } from '../../src/platform/egress/clearance.js';
import { directEgress, type DirectEgressOptions } from '../../src/platform/egress/direct-egress.js';
import { hasRoute } from '../../src/platform/egress/route.js';
import { socksEgress, type SocksProxyAddress } from '../../src/platform/egress/socks-egress.js';
import { BlackHoles } from '../lab/smtp/black-holes.js';
import { ProbeBench } from './support/probe-bench.js';
import { ScriptedHost } from './support/scripted-host.js';
import { SocksProxy, type ProxyBehaviour } from './support/socks-proxy.js';

const IDENTITY = { id: 'test', heloName: 'probe.example.net', mailFrom: 'verify@probe.example.net' };
const LABORATORY = clearance(true);
const never = new AbortController().signal;

function direct(over: Partial<DirectEgressOptions> = {}): Egress {
  return directEgress({ ...IDENTITY, source: { ipv4: null, ipv6: null }, clearance: LABORATORY, ...over });
}

describe('directEgress', () => {
  let host: ScriptedHost;
  beforeEach(async () => {
    host = await ScriptedHost.start({});
  });
  afterEach(() => host.stop());

  it('connects', async () => {
    const socket = await direct().connect(host.address, host.port, 5_000, never);
    expect(socket.remoteAddress).toBe(host.address);
    socket.destroy();
  });

  it('uses its source address', async () => {
    const egress = direct({ source: { ipv4: '127.0.0.77', ipv6: null } });
    const socket = await egress.connect(host.address, host.port, 5_000, never);
    expect(socket.localAddress).toBe('127.0.0.77');
    socket.destroy();
  });

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254', 'localhost'])(
    'never connects to %s outside of a laboratory',
    async (address) => {
      const connecting = direct({ clearance: clearance(false) }).connect(address, host.port, 5_000, never);
      await expect(connecting).rejects.toMatchObject({ blame: 'theirs', why: 'forbidden_address' });
    },
  );

  it('makes no connection to a listener at a private address', async () => {
    const egress = direct({ clearance: clearance(false) });
    await expect(egress.connect(host.address, host.port, 5_000, never)).rejects.toMatchObject({
      why: 'forbidden_address',
    });
    expect(host.visits).toEqual([]);
  });

  it('closes a connection to another address than the cleared one', async () => {
    let asked = 0;
    const onlyOnce: Clearance = () => ++asked === 1;
    const connecting = direct({ clearance: onlyOnce }).connect(host.address, host.port, 5_000, never);
    await expect(connecting).rejects.toMatchObject({ why: 'forbidden_address' });
    await host.allClosed();
    expect(host.commands).toEqual([]);
  });

  it('blames the host that refuses', async () => {
    await expect(direct().connect('127.0.0.9', host.port, 5_000, never)).rejects.toMatchObject({
      blame: 'theirs',
      why: 'refused',
    });
  });

  it('blames us if the source address is not ours', async () => {
    const egress = direct({ source: { ipv4: '198.51.100.7', ipv6: null } });
    await expect(egress.connect(host.address, host.port, 5_000, never)).rejects.toMatchObject({
      blame: 'ours',
      why: 'local',
    });
  });

  it('gives up on silence after its own limit or at the deadline', async () => {
    const address = `127.18.${process.pid % 250}.1`;
    const holes = await BlackHoles.open([address], host.port);
    const deadline = Deadline.after(50);
    try {
      const silence = { blame: 'theirs', why: 'timeout' };
      await expect(direct().connect(address, host.port, 50, never)).rejects.toMatchObject(silence);
      await expect(direct().connect(address, host.port, 60_000, deadline.signal)).rejects.toMatchObject(silence);
      await expect(direct().connect(address, host.port, 60_000, deadline.signal)).rejects.toMatchObject(silence);
    } finally {
      deadline.release();
      await holes.close();
    }
  });
});

describe('hasRoute', () => {
  it('finds the route to loopback', async () => {
    expect(await hasRoute('127.0.0.1', undefined)).toBe(true);
    expect(await hasRoute('127.0.0.1', '127.0.0.77')).toBe(true);
  });

  it('finds none from an address that is not ours', async () => {
    expect(await hasRoute('127.0.0.1', '198.51.100.7')).toBe(false);
  });
});

describe('socksEgress', () => {
  let proxy: SocksProxy;
  let bench: ProbeBench;
  const start = async (behaviour: ProxyBehaviour = {}, over: Partial<SocksProxyAddress> = {}): Promise<Egress> => {
    bench = await ProbeBench.start({});
    proxy = await SocksProxy.start(behaviour);
    const address = { host: '127.0.0.1', port: proxy.port, login: null, ...over };
    return socksEgress({ ...IDENTITY, proxy: address, clearance: LABORATORY });
  };
  const connect = (egress: Egress, timeoutMs = 5_000): Promise<Socket> =>
    egress.connect(bench.hosts[0]?.address ?? '', bench.port, timeoutMs, never);
  afterEach(async () => {
    await proxy.stop();
    await bench.stop();
  });

  it('carries a whole probe, and requests the chosen address', async () => {
    const egress = await start();
    const facts = await bench.facts('real@example.com', { egress: { choose: () => egress } });
    expect(facts).toMatchObject({ class: 'accepted', egress: 'test' });
    expect(proxy.orders).toEqual([`${bench.hosts[0]?.address}:${bench.port}`]);
    await proxy.allClosed();
  });

  it('logs in', async () => {
    const login = { user: 'us', password: 'secret' };
    const egress = await start({ login }, { login });
    (await connect(egress)).destroy();
    expect(proxy.orders).toHaveLength(1);
  });

  it("loses nothing of a greeting that arrives with the proxy's last reply", async () => {
    const egress = await start({ mergeGreeting: true });
    expect(await bench.facts('real@example.com', { egress: { choose: () => egress } })).toMatchObject({
      class: 'accepted',
    });
  });

  it('buffers early bytes for a slow reader', async () => {
    const socket = await connect(await start({ mergeGreeting: true }));
    await new Promise((resolve) => setImmediate(resolve));
    const chunk = await new Promise<Buffer>((resolve) => socket.once('data', resolve).resume());
    expect(chunk.toString()).toBe('220 mx.example.test ESMTP\r\n');
    socket.destroy();
  });

  it.each<[string, ProxyBehaviour, string, string]>([
    ['the host refused the connection', { refuseWith: 5 }, 'theirs', 'refused'],
    ['the host cannot be reached', { refuseWith: 4 }, 'theirs', 'unreachable'],
    ['the way was too long', { refuseWith: 6 }, 'theirs', 'timeout'],
    ['the host does not answer', { silentAt: 'order' }, 'theirs', 'timeout'],
    ['something went wrong', { refuseWith: 1 }, 'ours', 'unreachable'],
    ['this is not allowed', { refuseWith: 2 }, 'ours', 'unreachable'],
    ['it has no network', { refuseWith: 3 }, 'ours', 'unreachable'],
    ['nothing at all', { silentAt: 'hello' }, 'ours', 'proxy'],
    ['goodbye', { closeAt: 'hello' }, 'ours', 'proxy'],
    ['goodbye to our order', { closeAt: 'order' }, 'ours', 'unreachable'],
    ['that a login is needed', { login: { user: 'us', password: 'secret' } }, 'ours', 'proxy'],
  ])('blames the right side if the proxy replies %s', async (_, behaviour, blame, why) => {
    const egress = await start(behaviour);
    const timeoutMs = behaviour.silentAt === undefined ? 5_000 : 300;
    await expect(connect(egress, timeoutMs)).rejects.toMatchObject({ blame, why });
    await proxy.allClosed();
  });

  it('blames us for a wrong password, and does not repeat it', async () => {
    const egress = await start(
      { login: { user: 'us', password: 'right' } },
      { login: { user: 'us', password: 'wrong' } },
    );
    const fault: unknown = await connect(egress).catch((error: unknown) => error);
    expect(fault).toMatchObject({ blame: 'ours', why: 'proxy' });
    expect(JSON.stringify(fault) + String((fault as Error).stack)).not.toContain('wrong');
  });

  it('blames us for an unreachable proxy', async () => {
    const egress = await start({}, { host: '127.0.0.9' });
    await expect(connect(egress)).rejects.toMatchObject({ blame: 'ours', why: 'proxy' });
  });

  it("blames us for another service on the proxy's port", async () => {
    const other = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const egress = await start({}, { port: (other.address() as { port: number }).port });
    await expect(connect(egress)).rejects.toMatchObject({ blame: 'ours', why: 'proxy' });
    other.close();
  });

  it('requests no private address outside of a laboratory', async () => {
    await start();
    const address = { host: '127.0.0.1', port: proxy.port, login: null };
    const egress = socksEgress({ ...IDENTITY, proxy: address, clearance: clearance(false) });
    await expect(connect(egress)).rejects.toMatchObject({ why: 'forbidden_address' });
    expect(proxy.openSockets).toBe(0);
  });

  it('stops at the deadline', async () => {
    const egress = await start({ silentAt: 'order' });
    const deadline = Deadline.after(50);
    const connecting = egress.connect(bench.hosts[0]?.address ?? '', bench.port, 60_000, deadline.signal);
    await expect(connecting).rejects.toMatchObject({ blame: 'theirs', why: 'timeout' });
    deadline.release();
    await proxy.allClosed();
  });

  it('gives no verdict through a broken proxy', async () => {
    const egress = await start({ refuseWith: 1 });
    const outcome = await bench.probe('real@example.com', { egress: { choose: () => egress } });
    expect(outcome).toEqual({ kind: 'unavailable', why: 'our egress test failed: unreachable' });
  });
});
