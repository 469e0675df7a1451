import type { INestApplication } from '@nestjs/common';
import {
  SwaggerModule,
  type HeaderObject,
  type OpenAPIObject,
  type OperationObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { ERRORS } from '../platform/openapi/api-answers.js';
import { completeDocument } from '../platform/openapi/complete-document.js';
import { ErrorResponse } from '../platform/openapi/error.response.js';
import { CONSOLE_ERROR_CODES, ERROR_CODES, type ErrorCode } from '../platform/errors/error-code.js';
import { COUNT } from '../platform/openapi/field-schemas.js';

const DESCRIPTION = `What the page of the account console calls. For integrations there is the API with keys; this one may change with every release.

A session is a cookie, made by a sign-in. Writes need an \`Origin\` of the console. Every failure has the body
\`{"error": {"code", "message"}}\`.`;

const HEADERS: Readonly<Record<string, HeaderObject>> = {
  'X-Credits-Used': { description: 'Credits that this call took; 0 when a free verify paid.', schema: COUNT },
  'X-Credits-Required': {
    description: 'How many credits are missing.',
    schema: { type: 'integer', minimum: 1 },
    required: true,
  },
};

const OUTLINE: Omit<OpenAPIObject, 'paths'> = {
  openapi: '3.1.0',
  // The library's types lack `summary`, new in OpenAPI 3.1.
  info: {
    title: 'Mailvet console',
    version: '1',
    summary: 'What the page of the account console calls.',
    description: DESCRIPTION,
    license: { name: 'MIT', identifier: 'MIT' },
  } as OpenAPIObject['info'],
  servers: [{ url: '/', description: 'Where the page comes from.' }],
  security: [{ Session: [] }],
  tags: [],
  components: {
    securitySchemes: {
      Session: { type: 'apiKey', in: 'cookie', name: '__Host-mailvet', description: 'Over plain HTTP: `mailvet`.' },
    },
  },
};

/** Error codes of every route that is about an account. */
const OF_ACCOUNTS: readonly ErrorCode[] = ['forbidden', 'not_found'];

/** The console's API as an OpenAPI 3.1 document: the text that is served and stored in `docs/console-openapi.json`. */
export function describeConsole(app: INestApplication): string {
  const document = SwaggerModule.createDocument(app, OUTLINE, { extraModels: [ErrorResponse] });
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/console/api/'));
  document.paths = Object.fromEntries(paths);
  for (const [path, item] of paths) {
    for (const operation of Object.values(item) as (OperationObject & { [ERRORS]?: ErrorCode[] })[]) {
      const codes = path.includes('/accounts/{account}') ? OF_ACCOUNTS : (['forbidden'] as const);
      operation[ERRORS] = [...(operation[ERRORS] ?? []), ...codes];
    }
  }
  nameOwnErrors(document);
  const complete = completeDocument(document, { headers: HEADERS, ofCallers: [] });
  return `${JSON.stringify(complete, null, 2)}\n`;
}

/** The shape of errors is the public API's; the console has codes beside those. */
function nameOwnErrors({ components }: OpenAPIObject): void {
  const codes = components!.schemas!['ErrorCode'] as SchemaObject;
  codes.enum = [...ERROR_CODES, ...CONSOLE_ERROR_CODES];
}
