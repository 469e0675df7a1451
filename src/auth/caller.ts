import type { FastifyRequest } from 'fastify';
import type { KeyMode } from './api-key.js';

/** What an account may do, as its plan says it. Null: unlimited. Months and days are those of UTC. */
export interface Plan {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly freeVerifiesPerMonth: number | null;
  readonly guardDecisionsPerMonth: number | null;
  /** Jobs that are stored at once, completed ones included. */
  readonly jobsKept: number | null;
  /** Entries of all these jobs together. */
  readonly addressesKept: number | null;
  /** Jobs that are under way at once. */
  readonly jobsProcessing: number | null;
  /** Domains whose first crawl the account may cause in a day. */
  readonly crawlsPerDay: number | null;
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
