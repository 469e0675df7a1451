import type { FastifyRequest } from 'fastify';
import type { KeyMode } from './api-key.js';

/** What an account may do, as its plan says it (decisions 2.2). Months are UTC calendar months. */
export interface Plan {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly freeVerifiesPerMonth: number;
  readonly guardDecisionsPerMonth: number;
}

/** Who makes a request: the account behind a key that is in force, and never the key itself. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly plan: Plan;
}

declare module '../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by the API key gate; absent when the request carried no key in force. */
    caller?: Caller;
  }
}

/** The caller of a request, or null when it carried no key in force. */
export function callerOf(request: FastifyRequest): Caller | null {
  return request.context.caller ?? null;
}
