import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isRepeated } from '../../platform/http/repeated-header.js';
import { IDEMPOTENCY_KEY_RULE, parseIdempotencyKey, type IdempotencyScope } from './idempotency-key.js';

/** The scope of a call with an `Idempotency-Key` header. @throws AppError `validation_failed` if the key is invalid */
export function idempotencyScopeOf(request: FastifyRequest, { accountId, mode }: Caller): IdempotencyScope {
  const header = isRepeated(request.raw, 'idempotency-key') ? [] : (request.headers['idempotency-key'] ?? []);
  const key = parseIdempotencyKey(header);
  if (key === null) throw new AppError('validation_failed', IDEMPOTENCY_KEY_RULE);
  return { accountId, mode, method: request.method, path: pathOf(request), key };
}

/** The path of the route with its parameters in place: however the URL was written. */
function pathOf({ routeOptions, params }: FastifyRequest): string {
  const values = params as Readonly<Record<string, string>>;
  return (routeOptions.url ?? '').replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
