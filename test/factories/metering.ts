import { Body, type CallHandler, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { IsIn, IsOptional } from 'class-validator';
import { from, lastValueFrom } from 'rxjs';
import type { Funds } from '../../src/billing/funds.js';
import type { CreditHold } from '../../src/billing/holds/credit-hold.js';
import { CreditHolds } from '../../src/billing/holds/credit-holds.js';
import type { IdempotencyService } from '../../src/billing/idempotency/idempotency.service.js';
import { CallsInFlight } from '../../src/billing/metering/calls-in-flight.js';
import { creditHoldOf } from '../../src/billing/metering/metered-call.js';
import type { MeteredResponseService } from '../../src/billing/metering/metered-response.service.js';
import type { MeteredResponse } from '../../src/billing/metering/metered-response.js';
import { METERED_KIND, type MeteredKind } from '../../src/billing/metering/metered-kind.js';
import { MeteringInterceptor } from '../../src/billing/metering/metering.interceptor.js';
import type { StoredMeteredResponseService } from '../../src/billing/metering/stored-metered-response.service.js';
import type { StoredMeteredResponse } from '../../src/billing/metering/stored-metered-response.js';
import { RequestPipe } from '../../src/platform/http/request.pipe.js';
import { plan } from './plan.js';

class SceneRequest {
  @IsOptional()
  @IsIn([true])
  fine = true;
}

class SceneController {
  @METERED_KIND('single')
  single(@Body() _body: SceneRequest): void {}

  @METERED_KIND('batch')
  batch(@Body() _body: SceneRequest): void {}

  @METERED_KIND('job')
  job(@Body() _body: SceneRequest): void {}
}

export interface MeteredScene {
  readonly kind: MeteredKind;
  readonly mode?: 'live' | 'test';
  /** What the account had when its balance was read. */
  readonly funds: Funds;
  /** Of the request; with it the call has a lease. */
  readonly idempotencyKey?: string;
  readonly body?: unknown;
  readonly idempotency: IdempotencyService;
  readonly responses?: MeteredResponseService;
  readonly storedResponses?: StoredMeteredResponseService;
}

/** One call of a metered route by an account without free verifies: the interceptor and the request that it serves. */
export function meteredScene({ kind, mode = 'live', funds, idempotencyKey, body = {}, ...parts }: MeteredScene) {
  const [calls, holds] = [new CallsInFlight(), new CreditHolds()];
  const interceptor = new MeteringInterceptor(
    new Reflector(),
    new RequestPipe(),
    calls,
    holds,
    parts.idempotency,
    parts.responses as MeteredResponseService,
    parts.storedResponses as StoredMeteredResponseService,
  );
  const request = {
    method: 'POST',
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    body,
    raw: { socket: { destroyed: false }, rawHeaders: [] },
    routeOptions: { url: `/v1/verify/${kind}`, config: { billing: 'verify' } },
    context: {
      requestId: 'r',
      responseHeaders: new Map<string, string>(),
      caller: { accountId: 'a', keyId: 'k', mode, plan: plan({ freeVerifiesPerMonth: 0 }) },
      funds: Promise.resolve({ kind: 'known', reading: { funds, asOf: 0 } }),
    },
  };
  const context = {
    getClass: () => SceneController,
    getHandler: () => SceneController.prototype[kind],
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  /** @param handle the route's handler */
  const run = async (
    handle: (hold: CreditHold) => Promise<MeteredResponse | StoredMeteredResponse>,
  ): Promise<string> => {
    const next: CallHandler = {
      handle: () => from(handle(creditHoldOf(request as unknown as FastifyRequest))),
    };
    return lastValueFrom(await interceptor.intercept(context, next));
  };
  const headers = (): Record<string, string> => Object.fromEntries(request.context.responseHeaders);
  return { run, request, headers, calls, holds };
}
