import type { FastifyReply } from 'fastify';
import type { AppError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-code.js';
import { ERROR_STATUS } from './error-status.js';

/** The body of every error (decisions 1.2). */
export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string };
}

export function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { error: { code, message } };
}

/** Sends an error: status, `Retry-After`, its headers, and the body. */
export function sendError(reply: FastifyReply, error: AppError): void {
  if (reply.sent || reply.raw.headersSent) return;
  if (error.retryAfterSeconds !== undefined) void reply.header('Retry-After', Math.ceil(error.retryAfterSeconds));
  void reply
    .status(ERROR_STATUS[error.code])
    .headers(error.headers)
    .type('application/json; charset=utf-8')
    .send(errorBody(error.code, error.message));
}
