import { HttpException } from '@nestjs/common';
import { isConnectionLost, isLockConflict } from '../database/database-errors.js';
import { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { isRedisDown } from '../redis/redis-errors.js';

/** Errors of Fastify and Nest by status. Their own texts are not sent: some repeat the URL. */
const REFUSALS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ['invalid_request', 'The request is malformed or its body is not JSON.'],
  401: ['unauthorized', 'The X-API-Key header is missing or holds no valid key.'],
  403: ['unauthorized', 'The X-API-Key header is missing or holds no valid key.'],
  404: ['not_found', 'There is nothing at this path.'],
  405: ['method_not_allowed', 'This path does not take this method.'],
  // A path segment too long to be one of ours.
  414: ['not_found', 'There is nothing at this path.'],
  413: ['payload_too_large', 'The body is larger than this endpoint takes.'],
  415: ['unsupported_media_type', 'The body must be sent as application/json.'],
};
const RETRY_AFTER_SECONDS = 5;

/** Turns anything thrown during a request into an error of the contract. Unknown errors reveal no internals. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isConnectionLost(thrown) || isLockConflict(thrown) || isRedisDown(thrown)) {
    return new AppError('service_unavailable', 'A part of the service is down; retry.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: thrown,
    });
  }
  const status = statusOf(thrown);
  if (status >= 400 && status < 500) {
    const [code, message] = REFUSALS[status] ?? ['invalid_request', 'The request is malformed.'];
    return new AppError(code, message, { cause: thrown });
  }
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: thrown });
}

function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpException) return thrown.getStatus();
  const { statusCode } = (thrown ?? {}) as { readonly statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : 500;
}
