import type {
  ContentObject,
  HeaderObject,
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-code.js';
import { ANSWER_HEADERS, ERRORS, headersOf, OTHER_BODIES } from './api-answers.js';
import { CONNECTION_ANSWERS, errorAnswers, SHARED_ANSWERS } from './error-answers.js';

const COMMON_HEADERS: Readonly<Record<string, HeaderObject>> = {
  'X-Request-Id': {
    description:
      'The `X-Request-Id` of the request if it was a sane one, else a new one. Name it when you report trouble.',
    schema: { type: 'string' },
    required: true,
  },
  'Retry-After': { description: 'Seconds until a repeat is worth trying.', schema: { type: 'integer', minimum: 1 } },
  'X-Ignored-Fields': {
    description:
      'Names of fields of the body that the call does not take, and of parameters of the query (`query.limt`), separated by a comma and a space: the first 10, of each the first 64 characters, those that cannot be printed as `?`. Left out where there are none.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
};
const REQUEST_ID: ParameterObject = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'Comes back in the answer, and stands in every log line about the request. Anything else is replaced.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
};
const WITH_KEY: readonly ErrorCode[] = ['unauthorized', 'rate_limit_exceeded', 'internal_error', 'service_unavailable'];
const WITH_BODY: readonly ErrorCode[] = [
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'quota_exceeded',
];

/** The headers that features describe. */
export interface HeaderNotes {
  /** Every header that some feature sets. */
  readonly headers: Readonly<Record<string, HeaderObject>>;
  /** Names of the headers on every answer to a valid key. */
  readonly ofCallers: readonly string[];
}

/** Adds to a document what every route has: errors, headers, and closed answer schemas. */
export function completeDocument(document: OpenAPIObject, { headers, ofCallers }: HeaderNotes): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as OperationObject[]) completeOperation(operation, ofCallers);
  }
  const components = document.components!;
  components.parameters = { RequestId: REQUEST_ID };
  components.headers = { ...COMMON_HEADERS, ...headers };
  components.responses = Object.fromEntries(
    Object.entries(SHARED_ANSWERS).map(([name, answer]) => [name, withHeaders(answer, [])]),
  );
  closeAnswers(document);
  return document;
}

function completeOperation(operation: OperationObject, ofCallers: readonly string[]): void {
  const marks = operation as OperationObject & {
    [ERRORS]?: ErrorCode[];
    [ANSWER_HEADERS]?: string[];
    [OTHER_BODIES]?: ContentObject;
  };
  const hasKey = operation.security === undefined;
  const hasBody = operation.requestBody !== undefined;
  const codes = [...(marks[ERRORS] ?? []), ...(hasKey ? WITH_KEY : []), ...(hasBody ? WITH_BODY : [])];
  const everywhere = [
    ...(hasKey ? [...ofCallers, ...(marks[ANSWER_HEADERS] ?? [])] : []),
    ...(hasKey || hasBody ? ['X-Ignored-Fields'] : []),
  ];
  if (hasBody) Object.assign((operation.requestBody as RequestBodyObject).content, marks[OTHER_BODIES]);
  for (const mark of [ERRORS, ANSWER_HEADERS, OTHER_BODIES] as const) delete marks[mark];
  operation.parameters = [{ $ref: '#/components/parameters/RequestId' }, ...(operation.parameters ?? [])];
  for (const [status, answer] of Object.entries(operation.responses)) {
    operation.responses[status] = withHeaders(answer as ResponseObject, everywhere);
  }
  for (const [status, answer] of errorAnswers(codes)) {
    operation.responses[status] = withHeaders(answer, status === 401 ? [] : everywhere);
  }
  for (const [status, name] of CONNECTION_ANSWERS) {
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

function withHeaders(answer: ResponseObject, everywhere: readonly string[]): ResponseObject {
  const { description, headers, ...rest } = answer;
  return { description, headers: { ...headersOf('X-Request-Id', ...everywhere), ...headers }, ...rest };
}

/** Generated clients may be strict: schemas of answers are closed, schemas of requests are open. */
function closeAnswers({ components, paths }: OpenAPIObject): void {
  const schemas = components?.schemas ?? {};
  const answers = [components?.responses, ...operationsOf(paths).map(({ responses }) => responses)];
  for (const name of schemasIn(answers, schemas)) {
    const schema = schemas[name]!;
    if ('properties' in schema) schema.additionalProperties ??= false;
  }
}

function operationsOf(paths: OpenAPIObject['paths']): OperationObject[] {
  return Object.values(paths).flatMap((item) => Object.values(item) as OperationObject[]);
}

/** Names of the referenced schemas, directly or through others. */
function schemasIn(something: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const found = new Set<string>();
  const search = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([\w-]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      search(schemas[name]);
    }
  };
  search(something);
  return found;
}
