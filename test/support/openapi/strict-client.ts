import { AnswerChecker } from './answer-checker.js';
import type { ApiDocument } from './api-document.js';

/** What a generated client throws: a class of error for each status that clients tell apart. */
class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly kind: string,
    readonly code: string,
  ) {
    super(`${status} ${code}`);
  }
}

const KINDS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Authentication',
  402: 'Payment',
  404: 'NotFound',
  409: 'Conflict',
  422: 'Validation',
  429: 'RateLimit',
  503: 'Unavailable',
};

interface Call {
  readonly body?: unknown;
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A client made of nothing but the document: a method for each operation, which refuses every value, key and type that is not
 * described.
 */
export class StrictClient {
  private readonly checker: AnswerChecker;
  private readonly routes: ReadonlyMap<string, { readonly method: string; readonly path: string }>;

  constructor(
    private readonly url: string,
    private readonly key: string,
    document: ApiDocument,
  ) {
    this.checker = new AnswerChecker(document);
    this.routes = new Map(
      Object.entries(document.paths).flatMap(([path, item]) =>
        Object.entries(item).map(([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }]),
      ),
    );
  }

  get operations(): string[] {
    return [...this.routes.keys()];
  }

  /** @throws ApiError for what is described as an error; Error for what is not described */
  async call(operation: string, { body, headers, id = '', query = '' }: Call = {}): Promise<unknown> {
    const { method, path: pattern } = this.routes.get(operation)!;
    const path = pattern.replace('{id}', id);
    const response = await fetch(this.url + path + query, {
      method,
      headers: {
        'x-api-key': this.key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const { status } = response;
    const text = await response.text();
    const header = (name: string): string | null => response.headers.get(name);
    const faults = this.checker.faults({ method, path, status, header, body: text, key: this.key });
    if (faults.length > 0) throw new Error(faults.join('\n'));
    const isJson = header('content-type')?.startsWith('application/json') === true;
    const answer: unknown = isJson ? JSON.parse(text) : text;
    if (status < 300) return answer;
    throw new ApiError(status, KINDS[status] ?? 'Api', (answer as { error: { code: string } }).error.code);
  }
}
