import { Validator } from '@seriousme/openapi-schema-validator';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DOMAIN_TYPES } from '../../src/domains/classify/classify-domain.js';
import { SMTP_DIAGNOSES } from '../../src/engine/smtp/classification.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { ERROR_CODES } from '../../src/platform/errors/error-code.js';
import { clientErrorAnswer } from '../../src/platform/http/client-error.js';
import { ERROR_STATUS } from '../../src/platform/http/error-status.js';
import { createLog } from '../../src/platform/logging/log.js';
import { PRODUCT_VERSION } from '../../src/platform/process/product-version.js';
import { createApi } from '../../src/roles/api.js';
import { describeApi } from '../../src/roles/api-description.js';
import { AnswerChecker } from '../support/openapi/answer-checker.js';
import { ALIASES, DOCUMENT_FILE, readApiDocument, type DescribedAnswer } from '../support/openapi/api-document.js';
import { expectDescribed } from '../support/openapi/expect-described.js';
import { jsonLines } from '../support/shared-data.js';
import { schemaTypes } from './generated/schema-types.js';
import { RESULT_KEYS, readVerifyResult, type ShownResult } from './verify-result-shape.js';

const CLIENT_TYPES = resolve(__dirname, '../../clients/typescript/src/schema.ts');

const document = readApiDocument();
const { components, paths } = document;
const checker = new AnswerChecker(document);
const nameOf = (route: string): string => route.replace(/^\w+/, (method) => method.toUpperCase());
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);
const SHARED_ANSWERS: Readonly<Record<string, number>> = {
  UnknownPath: 404,
  WrongMethod: 405,
  RequestTimeout: 408,
  HeadersTooLarge: 431,
};
/** Answers of the connection carry the code of a request that is not well-formed. */
const OF_CONNECTION: ReadonlySet<number> = new Set([408, 431]);
const answers = operations
  .flatMap(({ name, operation }) =>
    Object.entries(operation.responses).map(([status, answer]) => ({ name, status: Number(status), answer })),
  )
  .concat(
    Object.entries(components.responses).map(([name, answer]) => ({
      name,
      status: SHARED_ANSWERS[name]!,
      answer,
    })),
  );
const golden = jsonLines<[string, ShownResult]>(readFileSync(resolve(__dirname, 'golden/sandbox.jsonl'), 'utf8'));

it('the document is valid OpenAPI 3.1', async () => {
  const outcome = await new Validator().validate(structuredClone(document) as never);
  expect(outcome.errors ?? []).toEqual([]);
  expect(outcome.valid).toBe(true);
  expect(document.openapi).toBe('3.1.0');
});

it('no operation is described twice, as one of an alias would be', () => {
  const described = new Set(operations.map(({ name }) => name));
  for (const [alias, [method, path]] of Object.entries(ALIASES)) {
    expect([alias, described.has(nameOf(alias))]).toEqual([alias, false]);
    expect([alias, described.has(nameOf(`${method} ${path}`))]).toEqual([alias, true]);
  }
});

it('every operation has a unique name, and every reference resolves', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const text = JSON.stringify(document);
  for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
    expect([name, name in (components as unknown as Record<string, object>)[kind]!]).toEqual([name, true]);
  }
  for (const name of [...Object.keys(components.schemas), ...Object.keys(components.headers)]) {
    expect([name, text.includes(`/${name}"`)]).toEqual([name, true]);
  }
});

describe('errors', () => {
  const codesOf = ({ content }: DescribedAnswer): string[] =>
    Object.keys(content?.['application/json']?.examples ?? {});

  it('have every code of the error table, with its status', () => {
    const described = answers.filter(({ status }) => status >= 400);
    expect(new Set(described.flatMap(({ answer }) => codesOf(answer)))).toEqual(new Set(ERROR_CODES));
    for (const { answer, name, status } of described) {
      for (const code of codesOf(answer)) {
        const expected = OF_CONNECTION.has(status) ? 400 : status;
        expect([name, code, ERROR_STATUS[code as keyof typeof ERROR_STATUS]]).toEqual([name, code, expected]);
      }
    }
  });

  it('of the connection are described for every call, as they are sent', () => {
    for (const { name, operation } of operations) {
      expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['408', '431'])]);
    }
    const sent = { 408: 'ERR_HTTP_REQUEST_TIMEOUT', 431: 'HPE_HEADER_OVERFLOW' };
    for (const [status, code] of Object.entries(sent)) {
      const [head = '', body = ''] = clientErrorAnswer(Object.assign(new Error(), { code })).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const { examples } = operations[0]!.operation.responses[status]!.content!['application/json']!;
      expect(JSON.parse(body)).toEqual(examples!['invalid_request']!.value);
    }
  });

  it('of keys are described for every call with a key', () => {
    for (const { name, operation } of operations) {
      if (operation.security !== undefined) continue;
      expect([name, Object.keys(operation.responses)]).toEqual([
        name,
        expect.arrayContaining(['401', '429', '500', '503']),
      ]);
    }
  });
});

describe('examples', () => {
  it('of answers match their schemas', () => {
    for (const { answer, name, status } of answers) {
      for (const { examples = {}, schema } of Object.values(answer.content ?? {})) {
        for (const [key, { value }] of Object.entries(examples)) {
          expect([name, status, key, checker.valueFaults(schema, value)]).toEqual([name, status, key, []]);
        }
      }
    }
  });

  it('of requests match their schemas', () => {
    for (const { name, operation } of operations) {
      for (const { examples = {}, schema } of Object.values(operation.requestBody?.content ?? {})) {
        for (const [key, { value }] of Object.entries(examples)) {
          expect([name, key, checker.valueFaults(schema, value)]).toEqual([name, key, []]);
        }
      }
    }
  });

  it('of a single call match the sandbox', () => {
    const { examples = {} } = paths['/v1/verify/single']!['post']!.responses['200']!.content!['application/json']!;
    const shown = Object.values(examples).map(({ value }) => JSON.stringify(value));
    const answered = golden.filter(([mode]) => mode === 'standard').map(([, result]) => JSON.stringify(result));
    expect(answered).toEqual(expect.arrayContaining(shown));
  });
});

describe('the verify result', () => {
  const schema = components.schemas['VerifyResult']!;

  it('has exactly the keys of the contract, in order', () => {
    const shapes = { VerifyResult: RESULT_KEYS.result, Domain: RESULT_KEYS.domain, Decision: RESULT_KEYS.decision };
    for (const [name, keys] of Object.entries(shapes)) {
      const { additionalProperties, properties, required } = components.schemas[name]!;
      expect([name, Object.keys(properties!), required, additionalProperties]).toEqual([name, keys, keys, false]);
    }
  });

  it('accepts every golden result of the sandbox', () => {
    for (const [, result] of golden) {
      readVerifyResult(result);
      expect(checker.valueFaults(schema, result)).toEqual([]);
    }
  });

  const [, valid] = golden[0]!;
  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['a verdict that the contract has not', { result: 'risky' }],
    ['a reason that the contract has not', { reason: 'other' }],
    ['a number as a text', { score: '0.95' }],
    ['null for what is never null', { mx: null }],
    ['a moment that is none', { checked_at: 'yesterday' }],
    ['a field more', { extra: true }],
    ['a field more in an object', { decision: { ...valid.decision, weight: 1 } }],
    ['a field more in the domain', { domain: { ...valid.domain, rank: 1 } }],
    ['a kind of domain that the contract has not', { domain: { ...valid.domain, types: ['shop'] } }],
    ['a field less', { degraded: undefined }],
  ])('rejects %s', (_, change) => {
    const changed = JSON.parse(JSON.stringify({ ...valid, ...change })) as unknown;
    expect(checker.valueFaults(schema, changed)).not.toEqual([]);
  });

  it('has the enumerations of the product', () => {
    const { properties = {} } = schema;
    expect(properties['smtp_diagnosis']!['enum']).toEqual([...SMTP_DIAGNOSES, null]);
    expect((components.schemas['Domain']!.properties!['types']!['items'] as { enum: unknown }).enum).toEqual(
      DOMAIN_TYPES,
    );
  });
});

it('an entry of a list is either a result or an error, never both', () => {
  const entry = components.schemas['Entry']!;
  expect(checker.valueFaults(entry, { email: null, error: 'invalid_email' })).toEqual([]);
  expect(checker.valueFaults(entry, { email: 'x', error: 'refused' })).not.toEqual([]);
  expect(checker.valueFaults(entry, { ...golden[0]![1], error: 'invalid_email' })).not.toEqual([]);
});

describe('the API', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const nobody = {
      DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing',
      REDIS_URL: 'redis://127.0.0.1:1',
      SMTP_CHECK_DOMAINS: 'none',
    };
    app = await createApi(loadConfig('api', nobody), createLog('silent'));
    await app.init();
  });
  afterAll(() => app.close());

  it('serves the document of the repository (`npm run openapi` updates it)', () => {
    if (process.env['OPENAPI_WRITE'] === '1') writeFileSync(DOCUMENT_FILE, describeApi(app));
    expect(readFileSync(DOCUMENT_FILE, 'utf8')).toBe(describeApi(app));
  });

  it('gives the TypeScript client its types (`npm run openapi` writes them anew)', async () => {
    const types = await schemaTypes(describeApi(app), 'openapi.json');
    if (process.env['OPENAPI_WRITE'] === '1') writeFileSync(CLIENT_TYPES, types);
    expect(readFileSync(CLIENT_TYPES, 'utf8')).toBe(types);
  });

  it('answers exactly on the described paths and methods, and on their aliases', async () => {
    const served = new Map(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)]));
    for (const alias of Object.keys(ALIASES)) {
      const [method = '', path = ''] = alias.split(' ');
      served.set(path, [...(served.get(path) ?? []), method]);
    }
    for (const [path, methods] of served) {
      const url = path.replace('{id}', '01a22072-f122-77d4-b8c0-d09d74dc5f00');
      const { headers, statusCode } = await app.inject({ method: 'PATCH', url });
      expect([path, statusCode]).toEqual([path, 405]);
      const described = methods.map((method) => method.toUpperCase());
      const allowed = String(headers['allow']).split(', ');
      expect([path, allowed.filter((method) => method !== 'HEAD')]).toEqual([path, described.sort()]);
    }
  });

  it('serves the document without a key, gzipped if accepted', async () => {
    const plain = await app.inject({ method: 'GET', url: '/openapi.json' });
    expect([plain.statusCode, plain.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(plain.headers['cache-control']).toBe('public, max-age=300');
    expect(plain.body).toBe(readFileSync(DOCUMENT_FILE, 'utf8'));
    const versioned = await app.inject({ method: 'GET', url: '/v1/openapi.json' });
    expect([versioned.statusCode, versioned.headers['content-type']]).toEqual([200, plain.headers['content-type']]);
    expect(versioned.body).toBe(plain.body);
    const zipped = await app.inject({ method: 'GET', url: '/openapi.json', headers: { 'accept-encoding': 'gzip' } });
    expect([zipped.headers['content-encoding'], zipped.headers['vary']]).toEqual(['gzip', 'Accept-Encoding']);
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  it('describes itself at its root, with working links', async () => {
    const root = await app.inject({ method: 'GET', url: '/' });
    expectDescribed({
      method: 'GET',
      url: '/',
      status: root.statusCode,
      headers: root.headers,
      body: root.body,
      key: null,
    });
    const { name, version, links } = root.json<{ name: string; version: string; links: Record<string, string> }>();
    expect([root.statusCode, name, version]).toEqual([200, 'Mailvet', PRODUCT_VERSION]);
    for (const url of Object.values(links)) {
      expect([url, (await app.inject({ method: 'GET', url })).statusCode]).not.toEqual([url, 404]);
    }
  });

  it('serves a page that loads only our files, without inline scripts', async () => {
    const page = await app.inject({ method: 'GET', url: '/docs' });
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:\/\//);
    const loaded = [...page.body.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(loaded).toHaveLength(3);
    for (const path of loaded) {
      const file = await app.inject({ method: 'GET', url: `/${path}` });
      const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
      expect([path, file.statusCode, file.headers['content-type']]).toEqual([path, 200, `${type}; charset=utf-8`]);
      expect([file.headers['cache-control'], file.headers['x-content-type-options']]).toEqual([
        'public, max-age=86400',
        'nosniff',
      ]);
      expect(file.rawPayload.length).toBeGreaterThan(50);
    }
  });

  it.each([
    ['GET', '/docs/', 404, 'not_found'],
    ['GET', '/docs/package.json', 404, 'not_found'],
    ['GET', '/docs/constructor', 404, 'not_found'],
    ['GET', '/docs/..%2fpackage.json', 404, 'not_found'],
    ['POST', '/docs', 405, 'method_not_allowed'],
    ['DELETE', '/openapi.json', 405, 'method_not_allowed'],
  ] as const)('%s %s is refused like any other path', async (method, url, status, code) => {
    const answer = await app.inject({ method, url });
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { error: { code } }]);
    if (status === 405) expect(answer.headers['allow']).toBe('GET, HEAD');
  });
});
