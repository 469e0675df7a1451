import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import type { Funds } from '../funds.js';
import type { CreditHold } from '../holds/credit-hold.js';
import type { Lease } from '../idempotency/idempotency.repository.js';
import type { JsonResponse } from './metered-response.js';

declare module '../../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by `MeteringInterceptor`, on routes with `@Metered()`. */
    creditHold?: CreditHold;
  }
}

/** A call of a metered route, from its handler to its headers. */
export interface MeteredCall {
  readonly caller: Caller;
  /** Of its `Idempotency-Key`; null: it has none. */
  readonly lease: Lease | null;
  readonly hold: CreditHold;
  /** What the account had when the charge last looked; null: nothing was charged. */
  funds: Funds | null;
  /** 0 where the allowance paid. */
  creditsUsed: number;
  /** Of the answer. */
  headers: JsonResponse['headers'];
}

/** What the call may hold of its account's funds. For handlers of routes with `@Metered()`. */
export function creditHoldOf({ context: { creditHold } }: FastifyRequest): CreditHold {
  if (creditHold === undefined) throw new Error('the route has no @Metered()');
  return creditHold;
}
