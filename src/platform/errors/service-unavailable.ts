import { AppError } from './app-error.js';

/** Something the service stands on does not do its part in time. @param cause logged, never shown */
export function serviceUnavailable(cause: unknown): AppError {
  return new AppError('service_unavailable', 'The service is not available at the moment; retry.', {
    retryAfterSeconds: 2,
    cause,
  });
}
