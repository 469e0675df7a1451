import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections/connections.js';
import { createHttpServer } from './create-http-server.js';
import type { Overload } from './load/overload.js';
import { requestIdFor } from './request-id.js';
import { BODY_LIMIT } from './route-options.js';

/**
 * Fastify as every HTTP process of ours uses it; the rest is done by `installHooks`.
 * @param overload put before everything else; null: nothing is refused for load
 * @param refuseUnroutable answers what the router cannot read
 */
export function createFastifyAdapter(
  trustedProxies: readonly string[],
  connections: Connections,
  overload: Overload | null,
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
    serverFactory: (listener: RequestListener) => {
      const server = createHttpServer(overload?.before(listener) ?? listener, connections);
      overload?.watch(server);
      return server;
    },
    // While closing, what still arrives on open connections is served like before.
    return503OnClosing: false,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => connections.refuse(error, socket),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => refuseUnroutable(request, reply),
  });
}
