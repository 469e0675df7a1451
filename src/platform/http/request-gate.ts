import type { FastifyRequest } from 'fastify';

/**
 * Decides who may be served, before the body is read: Nest's guards run only after Fastify has parsed it, and a caller
 * without a key must not make us parse 8 MiB. Called once for every request that no `@PublicRoute()` answers; also
 * for unknown routes and wrong methods, where its refusal is ignored (404 and 405 come first, decisions 1.2) and only
 * what it leaves in `request.context` counts.
 */
export abstract class RequestGate {
  /**
   * Resolves when the request may go on, having left what it learnt in `request.context`.
   * Rejects with an `AppError`: `unauthorized`, `rate_limit_exceeded`, or `service_unavailable`.
   */
  abstract admit(request: FastifyRequest): Promise<void>;
}
