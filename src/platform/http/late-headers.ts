import type { FastifyRequest } from 'fastify';

/** Headers of answers that are known only after a look-up, such as a balance. A feature provides it; without one there are none. */
export abstract class LateHeaders {
  /** Called once for every request that the gate was asked about, as soon as it has decided, whatever it decided. */
  abstract begin(request: FastifyRequest): void;

  /**
   * Called once for every request, when its answer is about to be sent. What resolves has left its headers in
   * `request.context.responseHeaders`, or left them out; the answer waits for it. Bounded in time, and never rejects. Undefined
   * where there is nothing to wait for.
   */
  abstract settle(request: FastifyRequest): Promise<void> | undefined;
}

export class NoLateHeaders extends LateHeaders {
  override begin(): void {}

  override settle(): undefined {
    return undefined;
  }
}
