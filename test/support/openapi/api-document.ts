import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

type Json = Readonly<Record<string, unknown>>;

/** An answer as the document describes it. */
export interface DescribedAnswer {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: Json; readonly examples?: Examples }>>;
}

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

export interface DescribedOperation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Json[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly examples?: Examples }>>;
  };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly schema: Json; readonly required?: boolean }>>;
    readonly schemas: Readonly<Record<string, ObjectSchema>>;
    readonly responses: Readonly<Record<string, DescribedAnswer>>;
  };
}

export interface ObjectSchema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

export const DOCUMENT_FILE = resolve(__dirname, '../../../docs/openapi.json');
export const CONSOLE_DOCUMENT_FILE = resolve(__dirname, '../../../docs/console-openapi.json');

/** Routes that answer as another one does; the document describes the other one only, so that clients have one method for both. */
export const ALIASES: Readonly<Record<string, readonly [method: string, path: string]>> = {
  'get /v1/credits': ['post', '/v1/credits'],
  'get /v1/openapi.json': ['get', '/openapi.json'],
};

/** The description as it is committed, with the answers that its operations refer to in their places. */
export function readApiDocument(): ApiDocument {
  const document = JSON.parse(readFileSync(DOCUMENT_FILE, 'utf8')) as ApiDocument;
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    const responses = operation.responses as Record<string, DescribedAnswer & { readonly $ref?: string }>;
    for (const [status, { $ref }] of Object.entries(responses)) {
      if ($ref !== undefined) responses[status] = document.components.responses[$ref.split('/').at(-1)!]!;
    }
  }
  return document;
}

/** What describes an answer to a request; HEAD is answered as GET is, without a body. */
export function describedAnswer(
  { components, paths }: ApiDocument,
  method: string,
  path: string,
  status: number,
): DescribedAnswer | null {
  const given = method === 'HEAD' ? 'get' : method.toLowerCase();
  const [asked, described] = ALIASES[`${given} ${path}`] ?? [given, path];
  const operations = Object.entries(paths)
    .filter(([pattern]) => matches(pattern, described))
    .map(([, item]) => item[asked]);
  const operation = operations.find((each) => each !== undefined);
  if (operation !== undefined) return operation.responses[status] ?? null;
  const name = operations.length > 0 ? 'WrongMethod' : 'UnknownPath';
  const expected = name === 'WrongMethod' ? 405 : 404;
  return status === expected ? (components.responses[name] ?? null) : null;
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => part === given[i] || (part[0] === '{' && given[i] !== ''))
  );
}
