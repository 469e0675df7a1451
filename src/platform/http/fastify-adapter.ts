import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerClientError } from './client-error.js';
import { requestIdFor } from './request-id.js';
import { BODY_LIMIT } from './route-options.js';

/** From the first byte of a request to the last of its body. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than balancers keep theirs (60 s), so that they never reuse a connection we are closing. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Fastify as every HTTP process of ours uses it; the rest is done by `installHooks`.
 * @param refuseUnroutable answers what the router cannot read
 */
export function createFastifyAdapter(
  trustedProxies: readonly string[],
  refuseUnroutable: (request: FastifyRequest, reply: FastifyReply) => void,
): FastifyAdapter {
  return new FastifyAdapter({
    // Nest's middleware; we have none.
    skipMiddie: true,
    multipart: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestIdHeader: false,
    genReqId: requestIdFor,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request without Host is refused in our own words.
    http: { requireHostHeader: false },
    // While closing, what still arrives on open connections is served like before.
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => refuseUnroutable(request, reply),
  });
}
