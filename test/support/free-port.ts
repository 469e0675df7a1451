import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const FIRST = 10_000;
/** Ports of one process, given out in turn. */
const LANE = 100;

/** Below it no port is given by the system, neither to a listener without a number nor to a connection. */
const firstOfSystem = ((): number => {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/)[0]);
  } catch {
    return FIRST;
  }
})();

/** Processes of tests that run at once have lanes of their own. */
const lanes = Math.max(0, Math.floor((firstOfSystem - FIRST) / LANE));
const lane = FIRST + (process.pid % Math.max(lanes, 1)) * LANE;
const ports = lanes === 0 ? 0 : LANE;
let given = Math.floor(Math.random() * LANE);

/**
 * A TCP port of a loopback address that nothing listens on now, for a server that binds it later. Nobody takes it meanwhile:
 * it is none that the system gives out, where the system leaves enough of them alone.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 0; tries < ports; tries++) {
    // Each is given out once before any is again: what was given a moment ago may not be bound yet.
    const port = lane + (given++ % LANE);
    if ((await bindable(host, port)) !== null) return port;
  }
  return (await bindable(host, 0)) as number;
}

async function bindable(host: string, wanted: number): Promise<number | null> {
  const server = createServer().listen(wanted, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (wanted !== 0 && (error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
