import type { ErrorCode } from './error-code.js';

/** What else is known of a failure; the HTTP edge turns it into headers, the command line ignores it. */
export interface AppErrorDetails {
  /** Seconds until a repeat is worth trying; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Response headers that belong to this failure, such as `Allow` or `X-Credits-Required`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What was caught. Logged for failures of ours, never shown. */
  readonly cause?: unknown;
}

/**
 * A failure with a code of the contract. `message` is shown to the caller: it names fields and rules, never an
 * address, a key, or anything internal. It knows no HTTP status: that is `http/error-status.ts`.
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
