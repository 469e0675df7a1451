import { applyDecorators, Header, UseInterceptors } from '@nestjs/common';
import { METERED_KIND, type MeteredKind } from './metered-kind.js';
import { MeteringInterceptor } from './metering.interceptor.js';

/**
 * Marks a controller method whose calls are charged: it returns a `MeteredResponse` or a `StoredMeteredResponse`, and
 * may use `creditHoldOf(request)` to ask what the account can pay. Its module imports `BillingModule`.
 */
export const Metered = (kind: MeteredKind): MethodDecorator =>
  applyDecorators(
    METERED_KIND(kind),
    UseInterceptors(MeteringInterceptor),
    Header('Content-Type', 'application/json; charset=utf-8'),
  );
