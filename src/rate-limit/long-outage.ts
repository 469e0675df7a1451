import { AppError } from '../platform/errors/app-error.js';
import type { Buckets } from './buckets.js';

const RETRY_AFTER_SECONDS = 5;

/**
 * Without Redis a process counts only its own requests. Accepts that for a while if Redis does not answer, and without an
 * end if Redis answers that it is full or read-only (decisions 3.4).
 * @param failOpenMs `RATE_LIMIT_FAIL_OPEN_MS`
 * @returns the refusal of a request; null: it may go on
 */
export function refusalInOutage({ awayMs }: Pick<Buckets, 'awayMs'>, failOpenMs: number): AppError | null {
  if (awayMs === null || awayMs < failOpenMs) return null;
  return new AppError('service_unavailable', 'A part of the service is down; retry.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new Error('Redis does not answer: rate limits cannot be kept'),
  });
}
