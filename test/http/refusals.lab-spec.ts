import { KEY, startTestApi, type TestApi } from './test-api.js';

const LIMIT = 256 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };
const WITH_KEY = { 'x-api-key': KEY };
const AUTHORIZED = { ...JSON_TYPE, ...WITH_KEY };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.app.close());

interface Request {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly payload?: string | Buffer;
}

async function send({ method = 'POST', url = '/v1/echo', headers = AUTHORIZED, payload }: Request) {
  const response = await api.app.inject({ method: method as 'POST', url, headers, payload });
  return {
    status: response.statusCode,
    headers: response.headers,
    body: response.body === '' ? null : response.json(),
  };
}

const refused = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) } } });

describe('the order of refusals', () => {
  // Each request breaks every rule from its own on; the first one broken is answered.
  const hostile = 'x'.repeat(LIMIT + 1);
  const badType = { 'content-type': 'text/plain' };
  it.each<[string, Request, number, string]>([
    ['unknown path', { url: '/v1/nothing', headers: badType, payload: hostile }, 404, 'not_found'],
    ['wrong method', { method: 'PUT', headers: badType, payload: hostile }, 405, 'method_not_allowed'],
    ['no key', { headers: badType, payload: hostile }, 401, 'unauthorized'],
    ['no JSON type', { headers: { ...WITH_KEY, ...badType }, payload: hostile }, 415, 'unsupported_media_type'],
    ['too large', { payload: hostile }, 413, 'payload_too_large'],
    ['no JSON', { payload: '{"email":5,' }, 400, 'invalid_request'],
    ['broken rule', { payload: '{"email":5}' }, 422, 'validation_failed'],
  ])('%s', async (_name, request, status, code) => {
    expect(await send(request)).toMatchObject(refused(status, code));
  });

  it('lists the methods of a path', async () => {
    expect((await send({ method: 'PATCH' })).headers['allow']).toBe('POST');
    expect((await send({ method: 'DELETE', url: '/v1/jobs/17' })).headers['allow']).toBe('GET, HEAD');
    expect((await send({ method: 'OPTIONS', url: '/v1/echo' })).status).toBe(405);
  });

  it('answers HEAD like GET, without a body', async () => {
    for (const [path, status] of Object.entries({ '/v1/jobs/17': 200, '/v1/nothing': 404 })) {
      const url = `http://127.0.0.1:${api.port()}${path}`;
      const response = await fetch(url, { method: 'HEAD', headers: WITH_KEY });
      expect([response.status, await response.text()]).toEqual([status, '']);
    }
  });

  it.each(['/v1/jobs/', '/v1/jobs', '/', '/v1//echo', '/v1/echo/', '/V1/echo', '/v1/%zz'])(
    'answers 404 at %s, with and without a key',
    async (url) => {
      expect(await send({ method: 'GET', url, headers: {} })).toMatchObject(refused(404, 'not_found'));
      const known = await send({ method: 'GET', url, headers: WITH_KEY });
      expect(known).toMatchObject(refused(404, 'not_found'));
      expect(known.headers['x-ratelimit-limit']).toBe('60');
    },
  );

  it('knows a path by its route, however long a part of it is', async () => {
    const url = `/v1/jobs/${'x'.repeat(10_000)}`;
    expect(await send({ method: 'GET', url, headers: {} })).toMatchObject(refused(401, 'unauthorized'));
    expect((await send({ method: 'GET', url, headers: WITH_KEY })).status).toBe(200);
  });

  it('serves public routes without a key', async () => {
    expect((await send({ method: 'GET', url: '/open', headers: {} })).status).toBe(200);
  });
});

describe('bodies', () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  it.each<[string, string | Buffer, number, string]>([
    ['half an object', '{"email":"a@example.com"', 400, 'invalid_request'],
    ['two objects', '{}{}', 400, 'invalid_request'],
    ['single quotes', "{'email':'x'}", 400, 'invalid_request'],
    ['nothing, as JSON', '', 400, 'invalid_request'],
    ['white space', '  ', 400, 'invalid_request'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'invalid_request'],
    ['UTF-16', Buffer.from('{"email":"x"}', 'utf16le'), 400, 'invalid_request'],
    ['a raw NUL in a string', '{"email":"a\0"}', 400, 'invalid_request'],
    ['raw CRLF in a string', '{"email":"a\r\nb"}', 400, 'invalid_request'],
    ['100,000 open brackets', '['.repeat(100_000), 400, 'invalid_request'],
    ['deep nesting in a field nobody reads', `{"email":"x","y":${deep(40)}}`, 400, 'invalid_request'],
    ['a list', '[]', 422, 'validation_failed'],
    ['a number', '17', 422, 'validation_failed'],
    ['null', 'null', 422, 'validation_failed'],
    ['a string', '"a@example.com"', 422, 'validation_failed'],
    ['a list as the address', '{"email":["a@example.com"]}', 422, 'validation_failed'],
    ['an object as the address', '{"email":{"toString":"a"}}', 422, 'validation_failed'],
    ['1,025 characters', `{"email":"${'a'.repeat(1025)}"}`, 422, 'validation_failed'],
    ['the address in __proto__', '{"__proto__":{"email":"a@example.com"}}', 422, 'validation_failed'],
    ['1 MB', `{"email":"${'a'.repeat(1024 * 1024)}"}`, 413, 'payload_too_large'],
  ])('%s', async (_name, payload, status, code) => {
    expect(await send({ payload })).toMatchObject(refused(status, code));
  });

  it('name the field and the rule, and never the value', async () => {
    expect((await send({ payload: '{}' })).body.error.message).toBe('email is required');
    const { body } = await send({ payload: '{"email":"x","mode":"hunter2"}' });
    expect(body.error.message).toBe('mode must be one of quick, standard');
  });

  it('may start with a byte order mark', async () => {
    expect(await send({ payload: '\uFEFF{"email":"x"}' })).toMatchObject({ status: 200, body: { email: 'x' } });
  });

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'identity, gzip', 'x-unknown'])(
    'are refused with the Content-Encoding %s',
    async (coding) => {
      const answer = await send({ headers: { ...AUTHORIZED, 'content-encoding': coding }, payload: '{"email":"x"}' });
      expect(answer).toMatchObject(refused(415, 'unsupported_media_type'));
      expect(answer.headers).toMatchObject({ 'accept-encoding': 'identity', 'x-ratelimit-limit': '60' });
    },
  );

  it.each(['identity', 'Identity', ''])('are accepted with the Content-Encoding "%s"', async (coding) => {
    const headers = { ...AUTHORIZED, 'content-encoding': coding };
    expect((await send({ headers, payload: '{"email":"x"}' })).status).toBe(200);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['none', {}, undefined],
    ['a misspelt one', { moed: 'quick' }, 'moed'],
    [
      'eleven',
      Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`f${i}`, 1])),
      'f0, f1, f2, f3, f4, f5, f6, f7, f8, f9',
    ],
    ['a long one', { ['n'.repeat(65)]: 1 }, 'n'.repeat(64)],
    ['odd ones', { 'a\r\nSet-Cookie: b': 1, 'ü,é': 1, '': 1 }, 'a??Set-Cookie:?b, ???, ?'],
  ])('cause a header with the ignored fields: %s', async (_name, ignored, header) => {
    for (const padding of ['', ' '.repeat(100_000)]) {
      const answer = await send({ payload: `${JSON.stringify({ email: 'x', ...ignored })}${padding}` });
      expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([200, header]);
    }
  });

  it('cause that header on a refusal, too', async () => {
    const answer = await send({ payload: '{"emial":"x","moed":1}' });
    expect([answer.status, answer.headers['x-ignored-fields']]).toEqual([422, 'emial, moed']);
  });

  it('with unusual characters reach the handler unchanged', async () => {
    const email = 'a\0\r\nRCPT TO:<b@example.com>\u2028';
    expect(await send({ payload: JSON.stringify({ email, unknown: deep(20) }) })).toMatchObject({
      status: 200,
      body: { email },
    });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="utf-8"'])(
    'are JSON as %s',
    async (type) => {
      const headers = { ...WITH_KEY, 'content-type': type };
      expect((await send({ headers, payload: '{"email":"x"}' })).status).toBe(200);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/vnd.x+json', 'x', ';'])(
    'are not JSON as %s',
    async (type) => {
      const headers = { ...WITH_KEY, 'content-type': type };
      expect(await send({ headers, payload: '{"email":"x"}' })).toMatchObject(refused(415, 'unsupported_media_type'));
    },
  );

  it('are refused without a media type, and required if missing', async () => {
    const response = await api.app.inject({
      method: 'POST',
      url: '/v1/echo',
      headers: WITH_KEY,
      payload: Buffer.from('{}'),
    });
    expect(response.statusCode).toBe(415);
    const formOfNothing = { ...WITH_KEY, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };
    expect(await send({ headers: formOfNothing })).toMatchObject(refused(400, 'invalid_request'));
    expect(await send({ headers: WITH_KEY })).toMatchObject(refused(400, 'invalid_request'));
  });

  it('may be as large as their route allows', async () => {
    const payload = JSON.stringify({ x: 'x'.repeat(LIMIT) });
    expect((await send({ url: '/v1/large', payload })).status).toBe(200);
    expect((await send({ url: '/v1/large', payload: 'x'.repeat(1024 * 1024 + 1) })).status).toBe(413);
    const exact = JSON.stringify({ email: 'x' });
    expect((await send({ payload: exact + ' '.repeat(LIMIT - exact.length) })).status).toBe(200);
  });
});

describe('failures in a handler', () => {
  it.each([
    ['unexpected', 500, 'internal_error'],
    ['text', 500, 'internal_error'],
    ['database', 503, 'service_unavailable'],
    ['redis', 503, 'service_unavailable'],
    ['credits', 402, 'insufficient_credits'],
    ['verify', 503, 'verify_unavailable'],
  ])('%s', async (how, status, code) => {
    expect(await send({ url: `/v1/fail/${how}`, payload: '{}' })).toMatchObject(refused(status, code));
  });

  it('reveal nothing internal and have Retry-After', async () => {
    const unexpected = await send({ url: '/v1/fail/unexpected', payload: '{}' });
    expect(JSON.stringify(unexpected.body)).not.toMatch(/select|example\.com|accounts/i);
    expect((await send({ url: '/v1/fail/database', payload: '{}' })).headers['retry-after']).toBe('5');
    expect((await send({ url: '/v1/fail/verify', payload: '{}' })).headers['retry-after']).toBe('5');
    expect((await send({ url: '/v1/fail/credits', payload: '{}' })).headers['x-credits-required']).toBe('3');
  });
});

describe('headers of every answer', () => {
  it('are the same on successes and on refusals', async () => {
    for (const request of [
      { payload: '{"email":"x"}' },
      { payload: '{' },
      { url: '/v1/nothing' },
      { url: '/v1/fail/text' },
    ]) {
      const { headers } = await send({ ...request, headers: { ...AUTHORIZED, 'x-request-id': 'order-17' } });
      expect(headers).toMatchObject({
        'x-request-id': 'order-17',
        'x-ratelimit-limit': '60',
        'cache-control': 'no-store',
      });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('have a new request id if the caller sent no valid one', async () => {
    const { headers } = await send({ payload: '{}', headers: { ...AUTHORIZED, 'x-request-id': 'a b' } });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });
});

describe('the log', () => {
  it('has one line per request, with its route pattern and no input', async () => {
    const headers = { ...AUTHORIZED, 'x-request-id': 'traced-1' };
    await send({ url: '/v1/echo?email=ada%40example.com', headers, payload: '{"email":"ada@example.com"}' });
    expect(api.logLines().filter((line) => line['requestId'] === 'traced-1')).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: 'traced-1',
        method: 'POST',
        route: '/v1/echo',
        status: 200,
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
  });

  it('never contains a key, an address, a body or a query, whatever the error', () => {
    expect(api.logText()).not.toMatch(/ada[@%]|example\.com|mv_test_0123|hunter2|RCPT/);
    expect(api.logText()).toContain('SELECT * FROM accounts WHERE email = [address]');
  });
});
