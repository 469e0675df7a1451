import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

/** Any port works: connecting a UDP socket sends nothing and only makes the system look up the route. */
const DISCARD_PORT = 9;

/**
 * True when this machine has a route to an address. ENETUNREACH comes either from our own routing table (our fault) or
 * from a router on the way that knows no such network (theirs); this detects only the first. Sends no packet.
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
