import { AppError } from '../platform/errors/app-error.js';

/** Our resolver or network seldom recovers sooner. */
const RETRY_AFTER_SECONDS = 5;

export interface Unavailability {
  readonly retryAfterSeconds?: number;
  /** No mail host can be reached from here, so an immediate retry does not help. */
  readonly egressClosed?: boolean;
}

/**
 * A failure on our side left the check without a verdict; the call is free.
 * @param why for operators, without an address
 */
export function verifyUnavailable(
  why: string,
  { retryAfterSeconds = RETRY_AFTER_SECONDS, egressClosed = false }: Unavailability = {},
): AppError {
  const message = egressClosed
    ? 'Our egress to mail hosts is closed; nothing can be verified until it is open.'
    : 'The verification could not be completed; retry.';
  return new AppError('verify_unavailable', message, { retryAfterSeconds, cause: new Error(why) });
}
