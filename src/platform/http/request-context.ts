import type { ServerResponse } from 'node:http';

/**
 * Our data about one request, from the first hook to the last. Features add their own optional fields by module
 * augmentation; one place writes each field:
 *
 *     declare module '../platform/http/request-context.js' {
 *       interface RequestContext { caller?: Caller }
 *     }
 */
export interface RequestContext {
  /** Sent as `X-Request-Id` and logged in every line about this request (decisions 1.4). */
  readonly requestId: string;
  /** Headers of the answer, errors included: one `onSend` hook writes them, whatever the status. */
  readonly responseHeaders: Map<string, string>;
  /** The raw response. */
  readonly response: ServerResponse;
  /** The account whose memory and stream limits apply; set by the gate, absent without a valid key. */
  accountId?: string;
  /**
   * Names of fields and of parameters of the query that the call ignores: at most 10, of at most 64 characters each; absent when there are none.
   */
  ignoredFields?: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set from the first `onRequest` hook on. */
    context: RequestContext;
  }
}
