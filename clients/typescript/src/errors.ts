import type { ErrorCode } from './types.js';

/** What an answer says of an error, beside its code. */
export interface ErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Names the request in the logs of the service. */
  readonly requestId: string | null;
  /** The service asks to wait so long before the next try. */
  readonly retryAfterMs: number | null;
  /** Credits missing. */
  readonly creditsRequired: number | null;
}

/** Every error of the service. A code that this version does not know has no class of its own. */
export class MailvetError extends Error {
  override readonly name: string = 'MailvetError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;

  constructor({ status, code, message, requestId, retryAfterMs }: ErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

export class InvalidRequestError extends MailvetError {
  override readonly name = 'InvalidRequestError';
}
export class UnauthorizedError extends MailvetError {
  override readonly name = 'UnauthorizedError';
}
export class InsufficientCreditsError extends MailvetError {
  override readonly name = 'InsufficientCreditsError';
  readonly creditsRequired: number | null;

  constructor(facts: ErrorFacts) {
    super(facts);
    this.creditsRequired = facts.creditsRequired;
  }
}
export class NotFoundError extends MailvetError {
  override readonly name = 'NotFoundError';
}
export class MethodNotAllowedError extends MailvetError {
  override readonly name = 'MethodNotAllowedError';
}
export class IdempotencyConflictError extends MailvetError {
  override readonly name = 'IdempotencyConflictError';
}
export class JobProcessingError extends MailvetError {
  override readonly name = 'JobProcessingError';
}
export class PayloadTooLargeError extends MailvetError {
  override readonly name = 'PayloadTooLargeError';
}
export class UnsupportedMediaTypeError extends MailvetError {
  override readonly name = 'UnsupportedMediaTypeError';
}
export class ValidationFailedError extends MailvetError {
  override readonly name = 'ValidationFailedError';
}
export class RateLimitExceededError extends MailvetError {
  override readonly name = 'RateLimitExceededError';
}
export class QuotaExceededError extends MailvetError {
  override readonly name = 'QuotaExceededError';
}
export class InternalServerError extends MailvetError {
  override readonly name = 'InternalServerError';
}
export class VerifyUnavailableError extends MailvetError {
  override readonly name = 'VerifyUnavailableError';
}
export class ServiceUnavailableError extends MailvetError {
  override readonly name = 'ServiceUnavailableError';
}

/** The service could not be reached, took too long, or the connection broke before the whole answer was there. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

const CLASSES: Readonly<Record<ErrorCode, new (facts: ErrorFacts) => MailvetError>> = {
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  insufficient_credits: InsufficientCreditsError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  idempotency_conflict: IdempotencyConflictError,
  job_processing: JobProcessingError,
  payload_too_large: PayloadTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  validation_failed: ValidationFailedError,
  rate_limit_exceeded: RateLimitExceededError,
  quota_exceeded: QuotaExceededError,
  internal_error: InternalServerError,
  verify_unavailable: VerifyUnavailableError,
  service_unavailable: ServiceUnavailableError,
};

/** The error of an answer, of the class of its code. */
export function errorOf(facts: ErrorFacts): MailvetError {
  const known = Object.hasOwn(CLASSES, facts.code) ? CLASSES[facts.code as ErrorCode] : MailvetError;
  return new known(facts);
}
