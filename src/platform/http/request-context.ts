import type { ServerResponse } from 'node:http';

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
  /** Where the answer goes. */
  readonly response: ServerResponse;
  /** The account that bounds on memory and streams count it for; set by the gate, absent for a request without a key in force. */
  accountId?: string;
  /** Names of fields of the body that the call does not take: at most 10, of at most 64 characters each; absent where there are none. */
  ignoredFields?: readonly string[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Present from the first `onRequest` hook on. */
    context: RequestContext;
  }
}
