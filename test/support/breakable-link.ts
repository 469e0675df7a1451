import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP relay in front of a server that can be taken away, silenced and brought back. */
export interface BreakableLink {
  readonly port: number;
  /** Refuses new connections and resets those there are. */
  cut(): Promise<void>;
  /** Keeps connections and takes new ones, and lets no byte through. */
  silence(): void;
  /** Lets bytes through to the server, and none back. */
  mute(): void;
  restore(): Promise<void>;
  /** How many there are now. */
  connections(): number;
  close(): Promise<void>;
}

/**
 * Starts cut.
 * @param to host and port of the server behind
 * @param rewrite what becomes of a chunk on its way to the server
 */
export async function breakableLink(
  to: { readonly host: string; readonly port: number },
  rewrite: (chunk: Buffer) => Buffer = (chunk) => chunk,
): Promise<BreakableLink> {
  const sockets = new Set<Socket>();
  /** Whether bytes pass to the server, and back. */
  const passes = { there: true, back: true };
  let server: Server | null = null;

  const relay = (near: Socket): void => {
    const far = connect(to.port, to.host);
    for (const [from, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => other.destroy());
      from.on('close', () => {
        sockets.delete(from);
        other.destroy();
      });
      from.on('data', (chunk) => {
        if (from === near ? passes.there : passes.back) other.write(from === near ? rewrite(chunk) : chunk);
      });
    }
  };
  const listen = async (port: number): Promise<number> => {
    server = createServer(relay).listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const cut = async (): Promise<void> => {
    for (const socket of sockets) socket.resetAndDestroy();
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    await closed;
    server = null;
  };

  const port = await listen(0);
  await cut();
  return {
    port,
    cut,
    silence: () => void Object.assign(passes, { there: false, back: false }),
    mute: () => void Object.assign(passes, { there: true, back: false }),
    restore: async () => {
      if (server === null) await listen(port);
      // Those that were silenced have lost bytes.
      else if (!passes.back) for (const socket of sockets) socket.resetAndDestroy();
      Object.assign(passes, { there: true, back: true });
    },
    connections: () => sockets.size / 2,
    close: cut,
  };
}
