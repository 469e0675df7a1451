import { Validator } from '@seriousme/openapi-schema-validator';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { describeConsole } from '../../src/roles/console-description.js';
import { createConsole } from '../../src/roles/console.js';
import { CONSOLE_DOCUMENT_FILE } from '../support/openapi/api-document.js';
import { schemaTypes } from './generated/schema-types.js';

const TYPES = resolve(__dirname, '../../web/src/api/schema.ts');
/** No server: the document needs none. */
const NOBODY = {
  DATABASE_URL: 'mysql://nobody:x@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  SMTP_CHECK_DOMAINS: 'none',
};

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
}

describe("the console's API", () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    app = await createConsole(loadConfig('console', NOBODY), createLog('silent'));
    await app.init();
  });
  afterAll(() => app.close());

  it('has the document of the repository (`npm run openapi` writes it anew)', () => {
    if (process.env['OPENAPI_WRITE'] === '1') writeFileSync(CONSOLE_DOCUMENT_FILE, describeConsole(app));
    expect(readFileSync(CONSOLE_DOCUMENT_FILE, 'utf8')).toBe(describeConsole(app));
  });

  it('gives the page its types (`npm run openapi` writes them anew)', async () => {
    const types = await schemaTypes(describeConsole(app), 'console-openapi.json');
    if (process.env['OPENAPI_WRITE'] === '1') writeFileSync(TYPES, types);
    expect(readFileSync(TYPES, 'utf8')).toBe(types);
  });

  it('is described by valid OpenAPI 3.1, every operation by a name of its own', async () => {
    const document = JSON.parse(describeConsole(app)) as {
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
      components: Record<string, Record<string, unknown>>;
    };
    const outcome = await new Validator().validate(structuredClone(document) as never);
    expect(outcome.errors ?? []).toEqual([]);
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary }) => !summary)).toEqual([]);
    for (const [, kind = '', name = ''] of JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      expect([name, name in document.components[kind]!]).toEqual([name, true]);
    }
  });

  it('serves the document to anybody', async () => {
    const { statusCode, body, headers } = await app.inject({
      method: 'GET',
      url: '/console/api/openapi.json',
      headers: { host: 'localhost:3002' },
    });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(body).toBe(readFileSync(CONSOLE_DOCUMENT_FILE, 'utf8'));
  });
});
