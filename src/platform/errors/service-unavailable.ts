import { AppError } from './app-error.js';

/**
 * A server that the service depends on does not answer in time.
 * @param cause logged, never shown
 */
export function serviceUnavailable(cause: unknown): AppError {
  return new AppError('service_unavailable', 'The service is not available at the moment; retry.', {
    retryAfterSeconds: 2,
    cause,
  });
}
