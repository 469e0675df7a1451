import type { FastifyRequest } from 'fastify';
import type { KeyMode } from './api-key.js';

/** The limits of an account's plan. Null: unlimited. Months and days are in UTC. */
export interface Plan {
  readonly name: string;
  readonly requestsPerMinute: number;
  readonly freeVerifiesPerMonth: number | null;
  readonly guardDecisionsPerMonth: number | null;
  /** Stored jobs, completed ones included. */
  readonly jobsKept: number | null;
  /** Entries of all stored jobs together. */
  readonly addressesKept: number | null;
  /** Jobs in progress. */
  readonly jobsProcessing: number | null;
  /** Domains per day whose first crawl the account may cause. */
  readonly crawlsPerDay: number | null;
}

/** The caller of a request: the account of a valid key, never the key itself. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly plan: Plan;
}

declare module '../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by the API key gate; absent without a valid key. */
    caller?: Caller;
  }
}

/** The caller of a request, or null without a valid key. */
export function callerOf(request: FastifyRequest): Caller | null {
  return request.context.caller ?? null;
}
