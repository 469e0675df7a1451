import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import type { Funds } from '../funds.js';
import type { CreditHold } from '../holds/credit-hold.js';
import type { Lease } from '../idempotency/idempotency.repository.js';
import type { MeteredKind } from './metered-kind.js';
import type { JsonResponse } from './metered-response.js';

declare module '../../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by `MeteringInterceptor`, on routes with `@Metered()`. */
    creditHold?: CreditHold;
  }
}

/** State of one call of a metered route, from handler to headers. */
export interface MeteredCall {
  readonly kind: MeteredKind;
  readonly caller: Caller;
  /** Lease of its `Idempotency-Key`; null without one. */
  readonly lease: Lease | null;
  readonly hold: CreditHold;
  /** The account's funds at the last charge; null: nothing was charged. */
  funds: Funds | null;
  /** 0 if the allowance paid. */
  creditsUsed: number;
  /** Headers of the answer. */
  headers: JsonResponse['headers'];
}

/** The call's hold on its account's funds. For handlers of routes with `@Metered()`. */
export function creditHoldOf({ context: { creditHold } }: FastifyRequest): CreditHold {
  if (creditHold === undefined) throw new Error('the route has no @Metered()');
  return creditHold;
}
