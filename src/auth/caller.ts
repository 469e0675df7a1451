import type { FastifyRequest } from 'fastify';
import type { KeyMode } from './api-key.js';
import type { PlanEntity } from './plan.entity.js';

/** The limits of an account's plan. Null: unlimited. Months and days are in UTC. */
export type Plan = Readonly<PlanEntity>;

/** The caller of a request: the account of a valid key, never the key itself. */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly plan: Plan;
}

/** Whose data a call reads and writes. Live and sandbox keys do not see each other's. */
export interface DataOwner {
  readonly accountId: string;
  readonly sandbox: boolean;
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

export function ownerOf({ accountId, mode }: Pick<Caller, 'accountId' | 'mode'>): DataOwner {
  return { accountId, sandbox: mode === 'test' };
}
