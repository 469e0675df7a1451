import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

/** Any port: connecting a UDP socket sends nothing, it only makes the system look up the way. */
const DISCARD_PORT = 9;

/**
 * True when this machine has a way to an address at all. A connection that fails with ENETUNREACH was either refused by our
 * own routing table (ours to blame) or by a router on the way, which knows no such network (theirs); only the first shows
 * here. Sends no packet.
 */
export function hasRoute(address: string, localAddress: string | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
    const end = (found: boolean): void => {
      socket.removeAllListeners();
      socket.close();
      resolve(found);
    };
    socket.once('error', () => end(false));
    socket.once('connect', () => end(true));
    if (localAddress === undefined) socket.connect(DISCARD_PORT, address);
    else socket.bind({ address: localAddress, exclusive: true }, () => socket.connect(DISCARD_PORT, address));
  });
}
