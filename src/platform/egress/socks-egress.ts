import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { SocksClient } from 'socks';
import { ConnectionFault, type Egress } from '../../engine/smtp/egress.js';
import type { Clearance } from './clearance.js';
import { socksFault } from './connection-faults.js';
import { openSocket } from './open-socket.js';

export interface SocksProxyAddress {
  /** Name or IP address of the proxy, which may be in a private network. */
  readonly host: string;
  readonly port: number;
  readonly login: { readonly user: string; readonly password: string } | null;
}

export interface SocksEgressOptions extends Omit<Egress, 'ipv6' | 'connect'> {
  readonly proxy: SocksProxyAddress;
  readonly clearance: Clearance;
}

/**
 * Connects through a SOCKS5 proxy. The proxy gets the IP address that was chosen and cleared here, never a name, so
 * that it connects only where the DNS findings point.
 */
export function socksEgress({ proxy, clearance, ...identity }: SocksEgressOptions): Egress {
  return {
    ...identity,
    ipv6: false,
    connect: async (host, port, timeoutMs, signal) => {
      if (!clearance(host)) throw new ConnectionFault('theirs', 'forbidden_address');
      const startedAt = performance.now();
      const socket = await openSocket({ host: proxy.host, port: proxy.port }, timeoutMs, signal).catch(() => {
        throw new ConnectionFault('ours', 'proxy');
      });
      const leftMs = timeoutMs - (performance.now() - startedAt);
      return handshake(socket, proxy, { host, port }, leftMs, signal);
    },
  };
}

async function handshake(
  socket: Socket,
  { login, host, port }: SocksProxyAddress,
  destination: { host: string; port: number },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const progress = new HandshakeProgress();
  let overdue = false;
  // `socks` cannot be aborted, but gives up when its socket is destroyed. Its own timer, which it never clears, fires
  // right after ours and keeps no process alive.
  const giveUp = (): void => {
    overdue = true;
    socket.destroy();
  };
  const timer = setTimeout(giveUp, timeoutMs);
  signal.addEventListener('abort', giveUp);
  socket.on('data', progress.onData);
  try {
    await SocksClient.createConnection({
      command: 'connect',
      proxy: { host, port, type: 5, ...(login ? { userId: login.user, password: login.password } : {}) },
      destination,
      existing_socket: socket,
      timeout: Math.max(1, Math.ceil(timeoutMs) + 100),
    });
    return await withEarlyBytes(socket);
  } catch (error) {
    socket.destroy();
    const message = overdue ? 'timed out' : (error as Error).message;
    throw socksFault(message, progress.orderTaken);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    socket.off('data', progress.onData);
  }
}

/**
 * Tracks the proxy's side of the handshake by counting its bytes: two choose the method (RFC 1928 3), two more follow a
 * login (RFC 1929). After that the proxy is connecting, and silence is the mail host's.
 */
class HandshakeProgress {
  private bytes = 0;
  private method = 0;

  readonly onData = (chunk: Buffer): void => {
    if (this.bytes <= 1 && this.bytes + chunk.length > 1) this.method = chunk[1 - this.bytes] ?? 0;
    this.bytes += chunk.length;
  };

  get orderTaken(): boolean {
    return this.bytes >= (this.method === 2 ? 4 : 2);
  }
}

/**
 * A greeting may arrive in the same packet as the proxy's last reply. `socks` emits such bytes once, in the next turn
 * of the event loop: catch them here and put them back, so that the owner may listen later. The owner gets the socket
 * paused, and resumes it.
 */
async function withEarlyBytes(socket: Socket): Promise<Socket> {
  const early: Buffer[] = [];
  const keep = (chunk: Buffer): void => void early.push(chunk);
  socket.on('data', keep);
  await setImmediate();
  socket.pause();
  socket.off('data', keep);
  if (early.length > 0) socket.unshift(Buffer.concat(early));
  return socket;
}
