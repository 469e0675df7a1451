import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor, type Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { finalize, from, mergeMap, of, tap, type Observable } from 'rxjs';
import { callerOf, type Caller } from '../../auth/caller.js';
import { bodyClassOf } from '../../platform/http/input-fields.js';
import { RequestPipe } from '../../platform/http/request.pipe.js';
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

  // Operators rather than async functions: each of those costs every call several promises.
  intercept(
    context: ExecutionContext,
    next: CallHandler<AnyMeteredResponse>,
  ): Observable<string> | Promise<Observable<string>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const route = this.routeOf(context);
    const caller = callerOf(request);
    if (caller === null) throw new Error('a call without a caller cannot be paid');
    if (request.headers['idempotency-key'] === undefined) return this.meter(request, caller, route, null, next);
    return this.beginKey(request, caller, route).then((turn) =>
      turn.kind === 'repeat' ? of(replay(request, turn.answer)) : this.meter(request, caller, route, turn.lease, next),
    );
  }

  /** Emits the JSON body. */
  private meter(
    request: FastifyRequest,
    caller: Caller,
    { kind }: MeteredRoute,
    lease: MeteredCall['lease'],
    next: CallHandler<AnyMeteredResponse>,
  ): Observable<string> {
    const hold = new CreditHold(request, caller, this.holds);
    request.context.creditHold = hold;
    const call: MeteredCall = { kind, caller, lease, hold, funds: null, creditsUsed: 0, headers: {} };
    this.calls.begin();
    return next.handle().pipe(
      mergeMap((response) => emitted(this.charge(call, response))),
      tap({
        error: () => {
          if (lease !== null) this.idempotency.release(lease);
        },
      }),
      // Runs before the answer is sent, and before an error is turned into one.
      finalize(() => {
        hold.release();
        this.calls.end();
        setHeaders(request, call);
      }),
    );
  }

  private charge(call: MeteredCall, response: AnyMeteredResponse): string | Promise<string> {
    return 'store' in response ? this.storedResponses.charge(call, response) : this.responses.charge(call, response);
  }

  /**
   * Claims the key only after validating the body (decisions 1.2: 422 before 409).
   * @throws AppError `validation_failed`, `idempotency_conflict`
   */
  private async beginKey(request: FastifyRequest, caller: Caller, { body }: MeteredRoute): Promise<Turn> {
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

function emitted(text: string | Promise<string>): Observable<string> {
  return typeof text === 'string' ? of(text) : from(text);
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
