import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { lastValueFrom, of, type Observable } from 'rxjs';
import { callerOf, type Caller } from '../../auth/caller.js';
import { bodyClassOf } from '../../platform/http/body-fields.js';
import { RequestPipe } from '../../platform/http/request.pipe.js';
import { newId } from '../../platform/ids/uuid.js';
import { showFunds } from '../credits/funds-headers.js';
import { CreditHold } from '../holds/credit-hold.js';
import { CreditHolds } from '../holds/credit-holds.js';
import { idempotencyScopeOf } from '../idempotency/idempotency-scope.js';
import type { StoredAnswer } from '../idempotency/idempotency.repository.js';
import { IdempotencyService, type Turn } from '../idempotency/idempotency.service.js';
import { CallsInFlight } from './calls-in-flight.js';
import type { MeteredCall } from './metered-call.js';
import { METERED_KIND, type MeteredKind } from './metered-kind.js';
import { MeteredResponseService } from './metered-response.service.js';
import type { JsonResponse, MeteredResponse } from './metered-response.js';
import { StoredMeteredResponseService } from './stored-metered-response.service.js';
import type { StoredMeteredResponse } from './stored-metered-response.js';

type AnyMeteredResponse = MeteredResponse | StoredMeteredResponse;

/** A handler with `@Metered()`. */
interface MeteredRoute {
  readonly kind: MeteredKind;
  /** The class of its `@Body()`. */
  readonly body: Type | undefined;
}

/**
 * Wraps every handler with `@Metered()`. Before it: claims the call's `Idempotency-Key`, or replays the stored answer.
 * After it: charges for the result and sets the `X-Credits-*` headers. Errors carry these headers too: the hook at the
 * end of each request (`FundsHeaders`) adds missing ones.
 */
@Injectable()
export class MeteringInterceptor implements NestInterceptor<AnyMeteredResponse, string> {
  private readonly routes = new Map<object, MeteredRoute>();

  constructor(
    private readonly reflector: Reflector,
    private readonly pipe: RequestPipe,
    private readonly calls: CallsInFlight,
    private readonly holds: CreditHolds,
    private readonly idempotency: IdempotencyService,
    private readonly responses: MeteredResponseService,
    private readonly storedResponses: StoredMeteredResponseService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<AnyMeteredResponse>): Promise<Observable<string>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const route = this.routeOf(context);
    const caller = callerOf(request);
    if (caller === null) throw new Error('a call without a caller cannot be paid');
    const turn = await this.beginKey(request, caller, route);
    if (turn?.kind === 'repeat') return of(replay(request, turn.answer));
    return of(await this.meter(request, caller, route, turn?.lease ?? null, next));
  }

  /** @returns the JSON body */
  private async meter(
    request: FastifyRequest,
    caller: Caller,
    { kind }: MeteredRoute,
    lease: MeteredCall['lease'],
    next: CallHandler<AnyMeteredResponse>,
  ): Promise<string> {
    const hold = new CreditHold(request, caller, this.holds);
    request.context.creditHold = hold;
    const call: MeteredCall = { caller, lease, hold, funds: null, creditsUsed: 0, headers: {} };
    this.calls.begin();
    try {
      const response = await lastValueFrom(next.handle());
      return 'store' in response
        ? await this.storedResponses.charge(call, response)
        : await this.responses.charge(call, `${kind}:${newId()}`, response);
    } catch (error) {
      if (lease !== null) this.idempotency.release(lease);
      throw error;
    } finally {
      hold.release();
      this.calls.end();
      setHeaders(request, call);
    }
  }

  /**
   * Claims the key only after validating the body (decisions 1.2: 422 before 409).
   * @returns null without an `Idempotency-Key`
   * @throws AppError `validation_failed`, `idempotency_conflict`
   */
  private async beginKey(request: FastifyRequest, caller: Caller, { body }: MeteredRoute): Promise<Turn | null> {
    if (request.headers['idempotency-key'] === undefined) return null;
    const sent = request.body;
    // The pipe leaves an instance as it is, so that the body is validated once.
    request.body = this.pipe.transform(sent, { type: 'body', metatype: body });
    return this.idempotency.begin(idempotencyScopeOf(request, caller), sent);
  }

  /** Read once per route. */
  private routeOf(context: ExecutionContext): MeteredRoute {
    const handler = context.getHandler();
    let route = this.routes.get(handler);
    if (route === undefined) {
      const kind = this.reflector.get(METERED_KIND, handler);
      route = { kind, body: bodyClassOf(context.getClass(), handler.name) };
      this.routes.set(handler, route);
    }
    return route;
  }
}

function replay(request: FastifyRequest, { headers, body }: StoredAnswer): string {
  addHeaders(request, { ...headers, 'Idempotency-Replayed': 'true' });
  return body.toString('utf8');
}

function setHeaders(request: FastifyRequest, { funds, creditsUsed, headers }: MeteredCall): void {
  if (funds !== null) showFunds(request, funds);
  if (creditsUsed > 0) request.context.responseHeaders.set('X-Credits-Used', String(creditsUsed));
  addHeaders(request, headers);
}

function addHeaders({ context }: FastifyRequest, headers: JsonResponse['headers']): void {
  for (const [name, value] of Object.entries(headers ?? {})) context.responseHeaders.set(name, value);
}
