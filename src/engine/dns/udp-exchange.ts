import { createSocket } from 'node:dgram';
import type { DnsServer } from './dns-servers.js';

/**
 * Sends one datagram and hands over what that server sends back, until the returned function is called.
 *
 * A socket of its own for every datagram: the system gives each a random source port, which a forger has to guess
 * beside the id (RFC 5452 9.2). It is connected, so that the system drops what comes from elsewhere and reports
 * a port that is closed. The price is a file descriptor while it waits, and about as much time again as sending takes.
 */
export function exchangeUdp(
  server: DnsServer,
  datagram: Buffer,
  onDatagram: (bytes: Buffer) => void,
  onFault: () => void,
): () => void {
  const { address, port } = server;
  const family = address.includes(':') ? 6 : 4;
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    // Addresses only: nothing to look up, and no turn through the thread pool.
    lookup: (host, _options, done) => done(null, host, family),
  });
  let open = true;
  const close = (): void => {
    if (!open) return;
    open = false;
    socket.close();
  };
  const fail = (): void => {
    if (!open) return;
    close();
    onFault();
  };
  socket.on('error', fail);
  // Between bind and connect the kernel may have queued a stranger's datagram.
  socket.on('message', (bytes, from) => {
    if (open && from.port === port && from.address === address) onDatagram(bytes);
  });
  socket.on('connect', () => {
    if (!open) return;
    socket.send(datagram, (error) => {
      if (error !== null) fail();
    });
  });
  socket.connect(port, address);
  return close;
}
