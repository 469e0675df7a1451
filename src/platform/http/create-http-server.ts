import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Connections } from './connections/connections.js';

/** From the first byte of a request to the last of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** To the end of its headers: an honest client takes less than a second. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node checks both timeouts. */
const CHECK_EVERY_MS = 2000;
/**
 * Drops a connection without traffic for this long: its client reads no answer, or is gone. Longer than any
 * configurable deadline, since a caller may wait that long for us.
 */
const SILENCE_MS = 660_000;
/** Octets of request line and headers together. */
export const MAX_HEADER_OCTETS = 16 * 1024;
/** Longer than balancers keep theirs (60 s), so that they never reuse a connection we are closing. */
const KEEP_ALIVE_MS = 72_000;

/** Creates Node's HTTP server with our limits. */
export function createHttpServer(listener: RequestListener, connections: Connections): Server {
  const server = createServer(
    {
      // We answer a request without Host with our own error body.
      requireHostHeader: false,
      // A lenient parser enables request smuggling.
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
  // RFC 9110 10.1.1 lets a server ignore unknown expectations; Node would answer 417 without a body.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  connections.serve(server);
  return server;
}

/**
 * `Expect: 100-continue`: a client that is refused before its body is read gets the refusal and need not send the body.
 */
function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  request.once('resume', () => {
    if (!response.headersSent && !response.destroyed) response.writeContinue();
  });
}
