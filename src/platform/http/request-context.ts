/**
 * What is known of one request beside the request itself, from the first hook to the last. Features add their own
 * optional fields by module augmentation, each written by one place:
 *
 *     declare module '../platform/http/request-context.js' {
 *       interface RequestContext { caller?: Caller }
 *     }
 */
export interface RequestContext {
  /** Goes out as `X-Request-Id` and into every log line about this request (decisions 1.4). */
  readonly requestId: string;
  /** Headers for the answer, errors included: one `onSend` hook writes them, whatever the status. */
  readonly responseHeaders: Map<string, string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Present from the first `onRequest` hook on. */
    context: RequestContext;
  }
}
