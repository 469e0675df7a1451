import type { ErrorCode } from './error-code.js';

/** Details of a failure. The HTTP layer turns them into headers; the command line ignores them. */
export interface AppErrorDetails {
  /** Seconds until a retry makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Response headers of this failure, such as `Allow` or `X-Credits-Required`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The original error. Logged for our own failures, never shown. */
  readonly cause?: unknown;
}

/**
 * A failure with an error code of the contract. The caller sees `message`: it names fields and rules, never an
 * address, a key, or anything internal. HTTP statuses are in `http/error-status.ts`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: AppErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.headers = details.headers ?? {};
  }
}
