/**
 * Every code that an error body of the API may carry (decisions 1.2). Clients branch on them: none is renamed,
 * none is added without its row in `http/error-status.ts` and in the reference.
 */
export const ERROR_CODES = [
  'invalid_request',
  'unauthorized',
  'insufficient_credits',
  'not_found',
  'method_not_allowed',
  'idempotency_conflict',
  'job_processing',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'rate_limit_exceeded',
  'quota_exceeded',
  'internal_error',
  'verify_unavailable',
  'service_unavailable',
] as const;

/** Codes that only the console's API answers with, beside those above. */
export const CONSOLE_ERROR_CODES = [
  'sign_in_failed',
  'forbidden',
  'conflict',
  'last_owner',
  'too_many_attempts',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number] | (typeof CONSOLE_ERROR_CODES)[number];
