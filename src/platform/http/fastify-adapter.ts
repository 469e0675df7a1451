import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections/connections.js';
import { createHttpServer, MAX_HEADER_OCTETS } from './create-http-server.js';
import type { Overload } from './load/overload.js';
import { requestIdFor } from './request-id.js';
import { BODY_LIMIT } from './route-options.js';

/**
 * Creates the Fastify adapter of every HTTP process; `installHooks` does the rest.
 * @param overload runs before everything else; null: no overload protection
 * @param refuseUnroutable answers requests that the router cannot read
 */
export function createFastifyAdapter(
  trustedProxies: readonly string[],
  connections: Connections,
  overload: Overload | null,
  refuseUnroutable: (request: FastifyRequest, reply: FastifyReply) => void,
): FastifyAdapter {
  return new FastifyAdapter({
    // Nest's middleware, which we do not use.
    skipMiddie: true,
    multipart: false,
    bodyLimit: BODY_LIMIT,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestIdHeader: false,
    // By default a part of a path has 100 characters; a domain may have 253, and more where they are percent-encoded.
    routerOptions: { maxParamLength: MAX_HEADER_OCTETS },
    genReqId: requestIdFor,
    serverFactory: (listener: RequestListener) => {
      const server = createHttpServer(overload?.before(listener) ?? listener, connections);
      overload?.watch(server);
      return server;
    },
    // During shutdown, requests on open connections are still served.
    return503OnClosing: false,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => connections.refuse(error, socket),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => refuseUnroutable(request, reply),
  });
}

/** No route has a JSON schema for Fastify, whose compilers would take a twentieth of a start. */
function noSchemas(): never {
  throw new Error('a route has a schema, and no compiler of schemas is built in');
}
