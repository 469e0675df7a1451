import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitUntil } from '../support/wait-until.js';

/** A client of its own bytes. It never closes by itself, not even after the other side has. */
export class RawClient {
  received = '';
  /** Resolves with all that came when the server has closed its side. */
  readonly ended: Promise<string>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      socket.once('end', () => resolve(this.received));
      socket.once('close', () => resolve(this.received));
    });
  }

  static async to(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    const client = new RawClient(socket);
    await once(socket, 'connect');
    return client;
  }

  /** Resolves when the text has come. */
  async has(text: string): Promise<void> {
    while (!this.received.includes(text)) {
      if (this.socket.readableEnded || this.socket.destroyed)
        throw new Error(`ended without ${text}: ${this.received}`);
      await Promise.race([once(this.socket, 'data'), this.ended]);
    }
  }

  /** Status codes of the answers that came, interim ones included. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  }

  write(text: string): this {
    this.socket.write(text);
    return this;
  }
}

export function requestText(line: string, headers: readonly string[] = [], body = ''): string {
  return `${[`${line} HTTP/1.1`, 'Host: api.example.com', ...headers].join('\r\n')}\r\n\r\n${body}`;
}

/** Resolves when `read` answers what is wanted; fails when it does not for half a minute. */
export async function eventually<T>(read: () => T | Promise<T>, isWanted: (value: T) => boolean): Promise<void> {
  let last: T | undefined;
  const wanted = async (): Promise<boolean> => isWanted((last = await read()));
  if ((await waitUntil(wanted, { ms: 30_000, everyMs: 5 })) === null) throw new Error(`still ${String(last)}`);
}
