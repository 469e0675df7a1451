export { Mailvet } from './client.js';
export type { CallOptions, ChargedCallOptions } from './connection.js';
export type { Domains } from './domains.js';
export {
  ConnectionError,
  IdempotencyConflictError,
  InsufficientCreditsError,
  InternalServerError,
  InvalidRequestError,
  JobProcessingError,
  MailvetError,
  MethodNotAllowedError,
  NotFoundError,
  PayloadTooLargeError,
  QuotaExceededError,
  RateLimitExceededError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  ValidationFailedError,
  VerifyUnavailableError,
} from './errors.js';
export type { Guard } from './guard.js';
export type { CsvQuery, JobListQuery, Jobs, ResultsQuery } from './jobs.js';
export type { MailvetOptions } from './settings.js';
export type * from './types.js';
export type { WebhookEndpoints } from './webhook-endpoints.js';
export { verifyWebhook, WebhookVerificationError, type WebhookEvent, type WebhookHeaders } from './webhooks.js';
