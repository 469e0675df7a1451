import { AppError } from '../platform/errors/app-error.js';

/** A resolver or network of ours that failed is seldom back sooner. */
const RETRY_AFTER_SECONDS = 5;

/**
 * A failure of our own kept a check from a verdict: it costs nothing.
 * @param why for operators, without an address
 */
export function verifyUnavailable(why: string, retryAfterSeconds = RETRY_AFTER_SECONDS): AppError {
  return new AppError('verify_unavailable', 'The verification could not be completed; retry.', {
    retryAfterSeconds,
    cause: new Error(why),
  });
}
