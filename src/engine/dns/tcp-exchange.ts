import { connect } from 'node:net';
import type { DnsServer } from './dns-servers.js';

const LENGTH_OCTETS = 2;

/**
 * Sends one message over its own connection and passes the first message that comes back to `onMessage`. Both are
 * prefixed by their length (RFC 1035 4.2.2), so it holds at most 65,535 octets. Ends by `onMessage`, by `onFault`
 * (refused, closed early) or by the returned function; it has no timeout.
 */
export function exchangeTcp(
  server: DnsServer,
  message: Buffer,
  onMessage: (bytes: Buffer) => void,
  onFault: () => void,
): () => void {
  const socket = connect({ host: server.address, port: server.port, noDelay: true });
  let open = true;
  const close = (): void => {
    open = false;
    socket.destroy();
  };
  const fail = (): void => {
    if (!open) return;
    close();
    onFault();
  };
  const chunks: Buffer[] = [];
  let octets = 0;
  let expected = Number.POSITIVE_INFINITY;
  socket.on('data', (chunk: Buffer) => {
    if (!open) return;
    chunks.push(chunk);
    octets += chunk.length;
    if (octets >= LENGTH_OCTETS && expected === Number.POSITIVE_INFINITY) {
      expected = LENGTH_OCTETS + firstTwo(chunks).readUInt16BE(0);
    }
    if (octets < expected) return;
    close();
    onMessage(Buffer.concat(chunks).subarray(LENGTH_OCTETS, expected));
  });
  socket.on('error', fail);
  socket.on('close', fail);
  const length = Buffer.alloc(LENGTH_OCTETS);
  length.writeUInt16BE(message.length);
  // One write: some servers drop a connection whose first segment holds only the length (RFC 7766 8).
  socket.write(Buffer.concat([length, message]));
  return close;
}

function firstTwo(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && first.length >= LENGTH_OCTETS ? first : Buffer.concat(chunks);
}
