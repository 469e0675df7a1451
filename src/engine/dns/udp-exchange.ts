import { createSocket } from 'node:dgram';
import type { DnsServer } from './dns-servers.js';

/**
 * Sends one datagram and passes on the server's datagrams until the returned function is called.
 *
 * Each datagram has its own socket: the system gives each a random source port, which a forger must guess besides the
 * id (RFC 5452 9.2). The socket is connected, so that the system drops datagrams from elsewhere and reports a closed
 * port. The price is a file descriptor while it waits, and about twice the time to send.
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
    // The host is an address: no look-up, no thread pool.
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
  // The kernel may have queued a stranger's datagram between bind and connect.
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
