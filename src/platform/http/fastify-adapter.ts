import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestListener, Server } from 'node:http';
import { answerClientError } from './client-error.js';
import type { Overload } from './load/overload.js';
import { requestIdFor } from './request-id.js';
import { BODY_LIMIT } from './route-options.js';

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
/** More connections are closed as they come: far beyond what a balancer keeps open, below what files a process may open. */
const MAX_CONNECTIONS = 10_000;
/** Longer than balancers keep theirs (60 s), so that they never reuse a connection we are closing. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Fastify as every HTTP process of ours uses it; the rest is done by `installHooks`.
 * @param overload put before everything else; null: nothing is refused for load
 * @param refuseUnroutable answers what the router cannot read
 */
export function createFastifyAdapter(
  trustedProxies: readonly string[],
  overload: Overload | null,
  refuseUnroutable: (request: FastifyRequest, reply: FastifyReply) => void,
): FastifyAdapter {
  const adapter = new FastifyAdapter({
    // Nest's middleware; we have none.
    skipMiddie: true,
    multipart: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestIdHeader: false,
    genReqId: requestIdFor,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: SILENCE_MS,
    http: {
      // A request without Host is refused in our own words.
      requireHostHeader: false,
      // A parser that takes what is not quite HTTP is what request smuggling lives on.
      insecureHTTPParser: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      maxHeaderSize: MAX_HEADER_OCTETS,
    },
    // While closing, what still arrives on open connections is served like before.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => refuseUnroutable(request, reply),
  });
  const { server } = adapter.getInstance();
  server.maxConnections = MAX_CONNECTIONS;
  // A client that has sent all it wants to may close its half of the connection and still gets its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  if (overload !== null) putBefore(server, overload);
  return adapter;
}

/** Fastify's listener is the last one. */
function putBefore(server: Server, overload: Overload): void {
  const listener = server.listeners('request').at(-1) as RequestListener;
  server.off('request', listener);
  server.on('request', overload.before(listener));
  overload.watch(server);
}
