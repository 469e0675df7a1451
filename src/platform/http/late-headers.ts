import type { FastifyRequest } from 'fastify';

/** Answer headers that need a look-up, such as a balance. A feature provides this class; without it there are none. */
export abstract class LateHeaders {
  /** Called once for every request that reaches the gate, right after its decision, whatever that was. */
  abstract begin(request: FastifyRequest): void;

  /**
   * Called once for every request, before its answer is sent. Resolves after it has put its headers, if any, into
   * `request.context.responseHeaders`; the answer waits for it. Bounded in time, never rejects. Undefined when there is
   * nothing to wait for.
   */
  abstract settle(request: FastifyRequest): Promise<void> | undefined;
}
