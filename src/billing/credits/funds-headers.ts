import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../auth/caller.js';
import { LateHeaders } from '../../platform/http/late-headers.js';
import { creditsOf, freeVerifiesLeft, type Funds } from '../funds.js';
import { FundsReader } from '../holds/funds-reader.js';
import { readFunds, type KnownFunds } from '../holds/request-funds.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route's answers say of the account: `RouteConfig({ billing: 'verify' })`. Every answer says its credits. */
    billing?: 'verify' | 'credits';
  }
}

const CREDITS_REMAINING = 'X-Credits-Remaining';

/** Says in every answer to a request with a key, errors included, what the account has (decisions 1.4). */
@Injectable()
export class FundsHeaders extends LateHeaders {
  constructor(@Inject(FundsReader) private readonly reader: Pick<FundsReader, 'read'>) {
    super();
  }

  override begin(request: FastifyRequest): void {
    const caller = callerOf(request);
    if (caller === null) return;
    const { context } = request;
    context.fundsReader = this.reader;
    const isVerify = request.routeOptions.config.billing === 'verify';
    if (isVerify) context.responseHeaders.set('X-Credits-Used', '0');
    // The charge of a live verify says what is left: most of them need no look-up. All others do, and get it meanwhile.
    if (!isVerify || caller.mode === 'test') void readFunds(request);
  }

  override settle(request: FastifyRequest): Promise<void> | undefined {
    const { responseHeaders, fundsFound } = request.context;
    if (responseHeaders.has(CREDITS_REMAINING)) return undefined;
    if (fundsFound === undefined) return readFunds(request)?.then((known) => show(request, known));
    // An answer that need not wait goes out in this turn of the event loop.
    show(request, fundsFound);
    return undefined;
  }
}

function show(request: FastifyRequest, known: KnownFunds): void {
  // A charge may have said it meanwhile, and knows better.
  if (known.kind === 'known' && !request.context.responseHeaders.has(CREDITS_REMAINING)) {
    showFunds(request, known.reading.funds);
  }
}

/** Puts what an account has into the headers of an answer. */
export function showFunds(request: FastifyRequest, funds: Funds): void {
  const { context, routeOptions } = request;
  const plan = callerOf(request)?.plan;
  context.responseHeaders.set(CREDITS_REMAINING, String(creditsOf(funds)));
  // Where they are unlimited there is no number to say.
  if (routeOptions.config.billing !== undefined && plan !== undefined && plan.freeVerifiesPerMonth !== null) {
    const left = freeVerifiesLeft(funds, plan.freeVerifiesPerMonth);
    context.responseHeaders.set('X-Verify-Free-Remaining', String(left));
  }
}
