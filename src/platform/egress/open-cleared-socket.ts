import type { Socket } from 'node:net';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import type { Clearance } from './clearance.js';
import { directFault } from './connection-faults.js';
import { openSocket, type SocketTarget } from './open-socket.js';
import { hasRoute } from './route.js';

/**
 * Opens a TCP connection after clearing both the requested address and the one the system reports as connected.
 * @param target `host` is an IP address
 * @throws ConnectionFault, after destroying the socket
 */
export async function openClearedSocket(
  target: SocketTarget,
  clearance: Clearance,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const { host: address, localAddress } = target;
  if (!clearance(address)) throw new ConnectionFault('theirs', 'forbidden_address');
  const socket = await openSocket(target, timeoutMs, signal).catch(async (error: unknown) => {
    throw await directFault(error, address, () => hasRoute(address, localAddress));
  });
  // The address the system reports, whatever was requested.
  if (socket.remoteAddress !== undefined && clearance(socket.remoteAddress)) return socket;
  const gone = socket.remoteAddress === undefined;
  socket.destroy();
  throw new ConnectionFault('theirs', gone ? 'reset' : 'forbidden_address');
}
