import type { ErrorCode } from '../errors/error-code.js';
import { CONNECTION_ANSWERS, ERROR_SCHEMA, errorAnswers } from './error-answers.js';
import type { Schema } from './json-schema.js';
import type { Answer, ApiPart, HeaderNote, Operation, Parameter } from './operation.js';

interface ApiOutline {
  readonly info: Schema;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly parts: readonly ApiPart[];
  /** Names of headers that every answer has to a caller whose key is in force. */
  readonly keyHeaders: readonly string[];
}

const COMMON_HEADERS: Readonly<Record<string, HeaderNote>> = {
  'X-Request-Id': {
    description:
      'The `X-Request-Id` of the request if it was a sane one, else a new one. Name it when you report trouble.',
    schema: { type: 'string' },
    required: true,
  },
  'Retry-After': { description: 'Seconds until a repeat is worth trying.', schema: { type: 'integer', minimum: 1 } },
  'X-Ignored-Fields': {
    description:
      'Names of fields of the body that the call does not take, separated by a comma and a space: the first 10, of each the first 64 characters, those that cannot be printed as `?`. Left out where there are none.',
    schema: { type: 'string' },
  },
  Allow: { description: 'The methods that the path takes.', schema: { type: 'string' } },
};
const REQUEST_ID: Parameter = {
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

/** Puts together what the features tell of themselves: an OpenAPI 3.1 document. */
export function assembleDocument({ info, tags, parts, keyHeaders }: ApiOutline): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of parts.flatMap((part) => part.operations)) {
    (paths[operation.path] ??= {})[operation.method] = describe(operation, keyHeaders);
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'Where this document comes from.' }],
    security: [{ ApiKey: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: '`mv_live_…`, or `mv_test_…` for the sandbox. Keep it on a server.',
        },
      },
      parameters: { RequestId: REQUEST_ID },
      headers: Object.assign({}, COMMON_HEADERS, ...parts.map((part) => part.headers)) as Schema,
      schemas: Object.assign({}, ...parts.map((part) => part.schemas), { Error: ERROR_SCHEMA }) as Schema,
      responses: {
        UnknownPath: answerOf(errorAnswers(['not_found']).get(404)!, []),
        WrongMethod: answerOf(errorAnswers(['method_not_allowed']).get(405)!, []),
        ...Object.fromEntries(CONNECTION_ANSWERS.map(({ name, answer }) => [name, answerOf(answer, [])])),
      },
    },
  };
}

function describe(operation: Operation, keyHeaders: readonly string[]): Schema {
  const { access, answers, body, description, errors, headers = [], id, parameters = [], summary, tag } = operation;
  const codes = [...errors, ...(access === 'key' ? WITH_KEY : []), ...(body ? WITH_BODY : [])];
  const everywhere = [...(access === 'key' ? [...keyHeaders, ...headers] : []), ...(body ? ['X-Ignored-Fields'] : [])];
  const failures = [...errorAnswers(codes)].map(([status, answer]): [number, Schema] => [
    status,
    answerOf(answer, status === 401 ? [] : everywhere),
  ]);
  const ofConnection = CONNECTION_ANSWERS.map(({ status, name }): [number, Schema] => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]);
  const successes = Object.entries(answers).map(([status, answer]): [string, Schema] => [
    status,
    answerOf(answer, everywhere),
  ]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(access === 'public' ? { security: [] } : {}),
    parameters: [{ $ref: '#/components/parameters/RequestId' }, ...parameters],
    ...(body ? { requestBody: body } : {}),
    responses: Object.fromEntries([...successes, ...failures, ...ofConnection]),
  };
}

function answerOf({ description, headers = [], content }: Answer, everywhere: readonly string[]): Schema {
  const names = ['X-Request-Id', ...everywhere, ...headers];
  return {
    description,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(content ? { content } : {}),
  };
}
