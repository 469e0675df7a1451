import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of webhooks on this machine. */
export interface BenchReceiver {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param onBody is told the body of each delivery; it answers, or leaves the sender waiting */
export async function startReceiver(onBody: (body: string, response: ServerResponse) => void): Promise<BenchReceiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => onBody(body, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
