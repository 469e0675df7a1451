import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Issued } from '../../support/certificates.js';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on the loopback address that answers as it is told at the moment. */
export interface ListServer {
  readonly port: number;
  /** `If-None-Match` of what was asked, in order; null without. */
  readonly asked: readonly (string | null)[];
  answer: Answer;
  close(): Promise<void>;
}

/** @param certificate speaks HTTPS with it */
export async function startListServer(answer: Answer, certificate?: Issued): Promise<ListServer> {
  const sockets = new Set<Socket>();
  const asked: (string | null)[] = [];
  const handle: Answer = (request, response) => {
    asked.push(request.headers['if-none-match'] ?? null);
    served.answer(request, response);
  };
  const server = certificate === undefined ? createServer(handle) : createSecureServer(certificate, handle);
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const served: ListServer = {
    port: (server.address() as AddressInfo).port,
    asked,
    answer,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return served;
}

/** Serves a text with an entity tag, and 304 to a client that has it. */
export function published(text: string, etag = `"${text.length}"`): Answer {
  return (request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { 'content-type': 'text/plain', etag }).end(text);
  };
}
