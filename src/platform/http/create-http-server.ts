import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Connections } from './connections/connections.js';

/** From the first byte of a request to the last of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** To the end of its headers: nobody honest needs a second. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for requests that are over one of the two. */
const CHECK_EVERY_MS = 2000;
/**
 * A connection on which nothing moves for so long is dropped: its client takes no answer, or is gone. Longer than any deadline
 * that can be configured, for until then a caller may be waiting for us.
 */
const SILENCE_MS = 660_000;
/** Octets of request line and headers together. */
const MAX_HEADER_OCTETS = 16 * 1024;
/** Longer than balancers keep theirs (60 s), so that they never reuse a connection we are closing. */
const KEEP_ALIVE_MS = 72_000;

/** Node's server as every HTTP process of ours uses it. */
export function createHttpServer(listener: RequestListener, connections: Connections): Server {
  const server = createServer(
    {
      // A request without Host is refused in our own words.
      requireHostHeader: false,
      // A parser that takes what is not quite HTTP is what request smuggling lives on.
      insecureHTTPParser: false,
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      maxHeaderSize: MAX_HEADER_OCTETS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    listener,
  );
  server.setTimeout(SILENCE_MS);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    continueWhenRead(request, response);
    server.emit('request', request, response);
  });
  // RFC 9110 10.1.1 lets a server ignore what it does not know; Node would answer 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  connections.serve(server);
  return server;
}

/** `Expect: 100-continue`: a client that is refused before its body is read hears that instead, and need not send it. */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent && !response.destroyed) response.writeContinue();
  });
}
