import type { FastifyRequest } from 'fastify';

/**
 * Decides which requests are served, before the body is read: Nest's guards run only after Fastify has parsed it, and a
 * caller without a key must not make us parse 8 MiB. Called once for every request outside `@PublicRoute()`; also for
 * unknown routes and wrong methods, where a refusal is ignored (404 and 405 come first, decisions 1.2) and only the
 * changes to `request.context` count.
 */
export abstract class RequestGate {
  /**
   * Resolves when the request may continue, after storing its findings in `request.context`. Rejects with an
   * `AppError`: `unauthorized`, `rate_limit_exceeded`, or `service_unavailable`.
   */
  abstract admit(request: FastifyRequest): Promise<void>;
}
