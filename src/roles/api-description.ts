import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type HeaderObject, type OpenAPIObject } from '@nestjs/swagger';
import { completeDocument } from '../platform/openapi/complete-document.js';
import { ErrorResponse } from '../platform/openapi/error.response.js';
import { ENTRY_SCHEMA } from '../verify/verify-batch.response.js';
import { COUNT } from '../platform/openapi/field-schemas.js';

const DESCRIPTION = `Verifies email addresses: a verdict with its reason, what the domain is worth, and an advice.

Every call under \`/v1\`, other than \`/v1/openapi.json\`, needs the header \`X-API-Key\`. With a test key (\`mv_test_…\`) answers are made up, always the same for the
same address, and free.

Every failure, of unknown paths (404) and wrong methods (405, with \`Allow\`) too, has the body
\`{"error": {"code", "message"}}\`. Branch on \`code\`. Where several failures apply, the first of this order is answered: 404 for the
path, 405, 401, 429, 415, 413, 400, 422, 409 for the \`Idempotency-Key\`, 404 for a job, 402, 503.

Requests may hold unknown fields and query parameters, which are ignored; \`X-Ignored-Fields\` names them. Answers hold the fields described and no others, and enumerations are
closed, unless they are said to be open.

A header whose value is not known, because a part of the service is down, is left out.`;

/** Headers of every answer to a caller with a valid key. */
const OF_CALLERS: Readonly<Record<string, HeaderObject>> = {
  'X-RateLimit-Limit': { description: 'Requests a minute that the plan allows.', schema: COUNT },
  'X-RateLimit-Remaining': { description: 'Requests that may be made now.', schema: COUNT },
  'X-RateLimit-Reset': { description: 'Unix second at which all of them are back.', schema: COUNT },
  'RateLimit-Policy': {
    description: 'The limit as draft-ietf-httpapi-ratelimit-headers writes it: `"default";q=300;w=60`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left, in the same form: `"default";r=150;t=1`; `t`: seconds until there is one more.',
    schema: { type: 'string' },
  },
  'X-Credits-Remaining': {
    description: 'The balance after the call. Left out when it is not known.',
    schema: COUNT,
  },
  'X-Sandbox': {
    description: 'Only with a test key: nothing in this answer is real.',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** Headers that answers add with `headersOf()` and `@ApiAnswerHeaders()`. */
const OF_SOME: Readonly<Record<string, HeaderObject>> = {
  'X-Verify-Free-Remaining': {
    description: 'Free verifies left this month. Left out where they are unlimited or not known.',
    schema: COUNT,
  },
  'X-Credits-Used': { description: 'Credits that this call took; 0 when a free verify paid.', schema: COUNT },
  'X-Credits-Required': {
    description: 'How many credits are missing.',
    schema: { type: 'integer', minimum: 1 },
    required: true,
  },
  'Idempotency-Replayed': {
    description: 'Only on a repeat: this is the answer to the first call.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: { description: 'Where the job is to be read.', schema: { type: 'string' }, required: true },
  'Content-Disposition': { description: 'Of CSV: a name for the file.', schema: { type: 'string' } },
};

const OUTLINE: Omit<OpenAPIObject, 'paths'> = {
  openapi: '3.1.0',
  // The library's types lack `summary` and `identifier`, new in OpenAPI 3.1.
  info: {
    title: 'Mailvet',
    version: '1',
    summary: 'Email verification.',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  } as OpenAPIObject['info'],
  servers: [{ url: '/', description: 'Where this document comes from.' }],
  security: [{ ApiKey: [] }],
  tags: [
    { name: 'Verify', description: 'Addresses, while you wait.' },
    { name: 'Jobs', description: 'Up to 10,000 addresses, in the background.' },
    { name: 'Domains', description: 'What domains publish, and what they are worth.' },
    { name: 'Credits', description: 'What the account may ask for and pay with.' },
    { name: 'Webhooks', description: 'Endpoints of yours that are told of events.' },
    { name: 'Guard', description: 'What guards in forms decided.' },
    { name: 'Operation', description: 'For operators of the service. No key.' },
  ],
  components: {
    securitySchemes: {
      ApiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: '`mv_live_…`, or `mv_test_…` for the sandbox. Keep it on a server.',
      },
    },
    schemas: { Entry: ENTRY_SCHEMA },
  },
};

/** The API as an OpenAPI 3.1 document: the text that is served and stored in `docs/openapi.json`. */
export function describeApi(app: INestApplication): string {
  const document = SwaggerModule.createDocument(app, OUTLINE, { extraModels: [ErrorResponse] });
  const complete = completeDocument(document, {
    headers: { ...OF_CALLERS, ...OF_SOME },
    ofCallers: Object.keys(OF_CALLERS),
  });
  return `${JSON.stringify(complete, null, 2)}\n`;
}
