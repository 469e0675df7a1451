import { createServer } from 'node:net';
import { closed, listening } from '../loopback.js';

/** A listener that nobody should connect to. */
export interface UntouchedListener {
  readonly address: string;
  readonly port: number;
  /** Number of connections; a test expects 0. */
  readonly touches: number;
  close(): Promise<void>;
}

/**
 * Listens at an address (any loopback address; port 0: any free one) and counts connections. Each gets `says` and is
 * closed.
 */
export async function listenUntouched(
  address: string,
  port = 0,
  says = '550 5.7.0 Authentication required',
): Promise<UntouchedListener> {
  let touches = 0;
  const server = createServer((socket) => {
    touches += 1;
    socket.on('error', () => undefined);
    socket.end(`${says}\r\n`);
    socket.destroySoon();
  });
  const chosen = await listening(server, address, port);
  return {
    address,
    port: chosen,
    get touches() {
      return touches;
    },
    close: () => closed(server),
  };
}
