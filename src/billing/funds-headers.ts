import type { FastifyRequest } from 'fastify';
import { callerOf } from '../auth/caller.js';
import { LateHeaders } from '../platform/http/late-headers.js';
import { creditsOf, freeVerifiesLeft, type Funds } from './funds.js';
import type { FundsReader } from './funds-reader.js';
import type { KnownFunds } from './request-funds.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route's answers say of the account: `RouteConfig({ billing: 'verify' })`. Every answer says its credits. */
    billing?: 'verify' | 'credits';
  }
}

const CREDITS_REMAINING = 'X-Credits-Remaining';

/** Says in every answer to a request with a key, errors included, what the account has (decisions 1.4). */
export class FundsHeaders extends LateHeaders {
  constructor(private readonly reader: Pick<FundsReader, 'read'>) {
    super();
  }

  override begin(request: FastifyRequest): Promise<void> | undefined {
    const caller = callerOf(request);
    if (caller === null) return undefined;
    const { context } = request;
    if (request.routeOptions.config.billing === 'verify') context.responseHeaders.set('X-Credits-Used', '0');
    context.funds = this.reader.read(caller.accountId).then(
      (reading): KnownFunds => ({ kind: 'known', reading }),
      (why: unknown): KnownFunds => ({ kind: 'unknown', why }),
    );
    return showWhenKnown(request, context.funds);
  }
}

async function showWhenKnown(request: FastifyRequest, reading: Promise<KnownFunds>): Promise<void> {
  const known = await reading;
  // A charge may have said it meanwhile, and knows better.
  if (known.kind === 'known' && !request.context.responseHeaders.has(CREDITS_REMAINING)) {
    showFunds(request, known.reading.funds);
  }
}

/** Puts what an account has into the headers of an answer. */
export function showFunds(request: FastifyRequest, funds: Funds): void {
  const { context, routeOptions } = request;
  const perMonth = callerOf(request)?.plan.freeVerifiesPerMonth ?? 0;
  context.responseHeaders.set(CREDITS_REMAINING, String(creditsOf(funds)));
  if (routeOptions.config.billing !== undefined) {
    context.responseHeaders.set('X-Verify-Free-Remaining', String(freeVerifiesLeft(funds, perMonth)));
  }
}
