/** Where the console's own API stands, on the page's own origin. */
const BASE = '/console/api';

/** A refusal of the API, or that it could not be reached: what happened, in words for a person, and how to name it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** HTTP status; 0 when no answer came. */
    readonly status: number,
    readonly code: string,
    /** Names this request in the logs of whoever runs the service. */
    readonly requestId: string | null,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `/accounts/x/ledger` and `{kind: 'charge'}` → `/accounts/x/ledger?kind=charge`; empty values are left out. */
export function withQuery(path: string, query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The full address of a path of the API, for links and event streams. */
export function apiAddress(path: string, query: Query = {}): string {
  return withQuery(`${BASE}${path}`, query);
}

async function request<T>(method: string, path: string, body: unknown, options: RequestOptions = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${BASE}${path}`, {
      method,
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('No answer came. Check your connection.', 0, unanswered(method) ?? 'no_answer', null);
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer as T;
  throw refusal(response, answer, BROKEN_ON_THE_WAY.has(response.status) ? unanswered(method) : undefined);
}

/** The answer of a balancer that had none of the service. */
const BROKEN_ON_THE_WAY = new Set([502, 504]);

/** The code of a call that may have been done although its answer did not come. */
export const MAY_BE_DONE = 'answer_lost';

function unanswered(method: string): string | undefined {
  return method === 'GET' ? undefined : MAY_BE_DONE;
}

function refusal(response: Response, answer: unknown, unsure?: string): ApiError {
  const { code, message } = (answer as { error?: { code?: string; message?: string } } | null)?.error ?? {};
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(
    message ?? `The service answered with status ${response.status}, and did not say why.`,
    response.status,
    code ?? unsure ?? 'unexpected_answer',
    response.headers.get('x-request-id'),
    Number.isFinite(retryAfter) ? retryAfter : null,
  );
}

/** The console's API: each call answers with the parsed body, or throws an ApiError. */
export const api = {
  get: <T>(path: string, options?: RequestOptions) => request<T>('GET', path, undefined, options),
  post: <T>(path: string, body: unknown = {}, options?: RequestOptions) => request<T>('POST', path, body, options),
  put: <T>(path: string, body: unknown, options?: RequestOptions) => request<T>('PUT', path, body, options),
  patch: <T>(path: string, body: unknown, options?: RequestOptions) => request<T>('PATCH', path, body, options),
  delete: <T = void>(path: string, body?: unknown, options?: RequestOptions) =>
    request<T>('DELETE', path, body, options),
};
