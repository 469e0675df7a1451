import type { ErrorCode } from '../errors/error-code.js';

/** HTTP status of each code (decisions 1.2). */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  sign_in_failed: 401,
  insufficient_credits: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  job_processing: 409,
  conflict: 409,
  last_owner: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limit_exceeded: 429,
  quota_exceeded: 429,
  too_many_attempts: 429,
  internal_error: 500,
  verify_unavailable: 503,
  service_unavailable: 503,
} as const satisfies Record<ErrorCode, number>;
