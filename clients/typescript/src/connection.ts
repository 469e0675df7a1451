import { ConnectionError, errorOf, NotFoundError } from './errors.js';
import { LONGEST_TIMER_MS, pause } from './pause.js';
import { type Repeatable, type RetryLimits, waitBeforeRetry } from './retry.js';
import { VERSION } from './version.js';

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, its waits included; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call that costs credits takes. */
export interface ChargedCallOptions extends CallOptions {
  /**
   * Calls with the same key and the same content are one call and one charge, for 24 hours. Left out, the client makes one for
   * all tries of this call. Keep one of your own to repeat a call after your program was restarted.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface ConnectionSettings extends RetryLimits {
  readonly url: URL;
  readonly key: string;
  /** For one try, answer included. */
  readonly timeoutMs: number;
  readonly fetch: typeof fetch | undefined;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Of texts, numbers and booleans. */
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: { readonly type: string; readonly content: string | Uint8Array };
  readonly idempotencyKey?: string;
  readonly repeatable: Repeatable;
}

export interface Answer<T> {
  readonly body: T;
  readonly retryAfterMs: number | null;
}

/** For a call that costs credits: all its tries are one charge. */
export function charged({ idempotencyKey = crypto.randomUUID() }: ChargedCallOptions) {
  return { method: 'POST', idempotencyKey, repeatable: 'yes' } as const;
}

/** Sends calls to the service, and sends them again where that helps. */
export class Connection {
  constructor(private readonly settings: ConnectionSettings) {}

  /** @returns the body of a successful answer; throws `MailvetError` or `ConnectionError` */
  async send<T>(call: Call, { signal }: CallOptions = {}): Promise<Answer<T>> {
    for (let tries = 1; ; tries += 1) {
      signal?.throwIfAborted();
      try {
        return await this.try<T>(call, signal);
      } catch (error) {
        // An earlier try deleted it, and only its answer was lost.
        if (tries > 1 && call.method === 'DELETE' && error instanceof NotFoundError)
          return { body: undefined as T, retryAfterMs: null };
        const { repeatable } = call;
        const wait = waitBeforeRetry(error, { tries, repeatable, limits: this.settings, random: Math.random() });
        if (wait === null) throw error;
        await pause(wait, signal);
      }
    }
  }

  private async try<T>(call: Call, signal: AbortSignal | undefined): Promise<Answer<T>> {
    const response = await this.exchange(call, signal);
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
    const body = parse(response.text);
    if (response.status >= 200 && response.status < 300) {
      if (body !== undefined || response.text === '') return { body: body as T, retryAfterMs };
    }
    const { code, message } = errorIn(body) ?? {
      code: 'unexpected_answer',
      message: `${this.settings.url.origin} answered ${response.status}, and not as Mailvet does.${elsewhere(response)}`,
    };
    const required = response.headers.get('x-credits-required');
    throw errorOf({
      status: response.status,
      code,
      message,
      requestId: response.headers.get('x-request-id'),
      retryAfterMs,
      creditsRequired: required === null ? null : Number(required),
    });
  }

  private async exchange(call: Call, signal: AbortSignal | undefined) {
    const { timeoutMs, fetch: send = globalThis.fetch } = this.settings;
    // What cannot be sent is a mistake of the program, and no failure of the connection.
    const request = { method: call.method, headers: new Headers(this.headersOf(call)), ...bodyOf(call) };
    const ended = new AbortController();
    const stop = (): void => ended.abort(signal!.reason);
    const giveUp = (): void => ended.abort(new Error(`No answer within ${timeoutMs} ms.`));
    const timer = setTimeout(giveUp, Math.min(timeoutMs, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await send(this.urlOf(call), {
        ...request,
        // A redirect would carry the key to another server.
        redirect: 'manual',
        signal: ended.signal,
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      const cause = ended.signal.aborted ? ended.signal.reason : error;
      throw new ConnectionError(`${this.settings.url.origin} could not be reached: ${reasonOf(cause)}`, { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }

  private urlOf({ path, query = {} }: Call): string {
    const url = new URL(this.settings.url);
    url.pathname = url.pathname.replace(/\/$/, '') + path;
    for (const [name, value] of Object.entries(query) as [string, string | number | boolean | undefined][]) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url.href;
  }

  private headersOf({ json, raw, idempotencyKey }: Call): Record<string, string> {
    const type = json === undefined ? raw?.type : 'application/json';
    return {
      'X-API-Key': this.settings.key,
      'User-Agent': `mailvet-client-typescript/${VERSION}`,
      Accept: 'application/json',
      ...(type !== undefined && { 'Content-Type': type }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
  }
}

/** Such as where `https://` belongs: where the answer points is where to ask. */
function elsewhere({ status, headers }: { readonly status: number; readonly headers: Headers }): string {
  const location = status >= 300 && status < 400 ? headers.get('location') : null;
  return location === null
    ? ''
    : ` It points to ${location}: redirects are not followed, give \`url\` the right address.`;
}

function bodyOf({ json, raw }: Call): Pick<RequestInit, 'body'> {
  if (json !== undefined) return { body: JSON.stringify(json) };
  return raw === undefined ? {} : { body: raw.content as NonNullable<RequestInit['body']> };
}

/** Seconds, or a date. */
function readRetryAfter(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function errorIn(body: unknown): { code: string; message: string } | null {
  const { error } = (body ?? {}) as { error?: { code?: unknown; message?: unknown } };
  return typeof error?.code === 'string' && typeof error.message === 'string'
    ? { code: error.code, message: error.message }
    : null;
}

/** `fetch` says only "fetch failed"; why stands in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
