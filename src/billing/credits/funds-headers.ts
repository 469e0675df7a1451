import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../auth/caller.js';
import { LateHeaders } from '../../platform/http/late-headers.js';
import { creditsOf, freeVerifiesLeft, type Funds } from '../funds.js';
import { FundsReader } from '../holds/funds-reader.js';
import { readFunds, type KnownFunds } from '../holds/request-funds.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Adds verify headers to a route's answers: `RouteConfig({ billing: 'verify' })`. Every answer shows credits. */
    billing?: 'verify' | 'credits';
  }
}

const CREDITS_REMAINING = 'X-Credits-Remaining';

/** Adds the account's funds to every answer for a request with a key, errors included (decisions 1.4). */
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
    // The charge of a live verify reports the funds left, so most need no look-up. For all others, start it now.
    if (!isVerify || caller.mode === 'test') void readFunds(request);
  }

  override settle(request: FastifyRequest): Promise<void> | undefined {
    const { responseHeaders, fundsFound } = request.context;
    if (responseHeaders.has(CREDITS_REMAINING)) return undefined;
    if (fundsFound === undefined) return readFunds(request)?.then((known) => show(request, known));
    // An answer that need not wait is sent in this turn of the event loop.
    show(request, fundsFound);
    return undefined;
  }
}

function show(request: FastifyRequest, known: KnownFunds): void {
  // A charge may have set the headers meanwhile; its figures are newer.
  if (known.kind === 'known' && !request.context.responseHeaders.has(CREDITS_REMAINING)) {
    showFunds(request, known.reading.funds);
  }
}

/** Sets an account's funds in the headers of an answer. */
export function showFunds(request: FastifyRequest, funds: Funds): void {
  const { context, routeOptions } = request;
  const plan = callerOf(request)?.plan;
  context.responseHeaders.set(CREDITS_REMAINING, String(creditsOf(funds)));
  // No header if unlimited.
  if (routeOptions.config.billing !== undefined && plan !== undefined && plan.freeVerifiesPerMonth !== null) {
    const left = freeVerifiesLeft(funds, plan.freeVerifiesPerMonth);
    context.responseHeaders.set('X-Verify-Free-Remaining', String(left));
  }
}
