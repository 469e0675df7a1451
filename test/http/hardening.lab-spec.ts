import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { eventually, RawClient } from './raw-client.js';
import { KEY, startTestApi, type TestApi } from './test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.app.close());

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Sends bytes, waits for the end of the connection, and returns what came before it. */
async function untilClosed(text: string): Promise<string> {
  const socket = connect(api.port(), '127.0.0.1', () => socket.write(text));
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return received;
}

describe('security headers', () => {
  const key = { 'x-api-key': KEY, 'content-type': 'application/json' };
  it.each<[string, string, RequestInit]>([
    ['a success', '/v1/echo', { method: 'POST', headers: key, body: '{"email":"x"}' }],
    ['a public route', '/open', {}],
    ['no key', '/v1/echo', { method: 'POST', body: '{}' }],
    ['a broken body', '/v1/echo', { method: 'POST', headers: key, body: '{' }],
    ['a failure of ours', '/v1/fail/unexpected', { method: 'POST', headers: key, body: '{}' }],
    ['an unknown path', '/nothing', {}],
    ['a path that cannot be read', '/v1/%zz', {}],
  ])('are on %s', async (_name, path, init) => {
    const { headers } = await fetch(`http://127.0.0.1:${api.port()}${path}`, init);
    expect(Object.fromEntries(headers)).toMatchObject(EXPECTED);
    expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull();
  });

  it('are on answers to invalid HTTP', async () => {
    const answer = (await untilClosed('nonsense\r\n\r\n')).toLowerCase();
    for (const [name, value] of Object.entries(EXPECTED)) expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
  });
});

describe('limits of a connection', () => {
  it('cover every slow phase, and let a load balancer close first', () => {
    const server: Server = api.app.getHttpServer();
    expect({
      headersTimeout: server.headersTimeout,
      requestTimeout: server.requestTimeout,
      timeout: server.timeout,
      maxConnections: server.maxConnections,
    }).toEqual({ headersTimeout: 10_000, requestTimeout: 60_000, timeout: 660_000, maxConnections: 10_000 });
    expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  });

  it('end a request with missing headers with our own error, even if its client never closes', async () => {
    const began = performance.now();
    const others = await api.connections();
    const [silent, slow] = [await RawClient.to(api.port()), await RawClient.to(api.port())];
    slow.write('POST /v1/echo HTTP/1.1\r\nHost: api.example.com\r\nX-Slow: ');
    const more = setInterval(() => slow.write('x'), 500);
    const answers = await Promise.all([silent.ended, slow.ended]);
    clearInterval(more);
    expect(performance.now() - began).toBeGreaterThan(9000);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toMatch(
        /\{"error":\{"code":"invalid_request","message":"The request took too long to arrive."\}\}$/,
      );
    }
    await eventually(api.connections, (left) => left <= others);
    for (const { socket } of [silent, slow]) socket.destroy();
  });

  it('reject headers that would smuggle a second request', async () => {
    const smuggled = 'GET /open HTTP/1.1\r\nHost: api.example.com\r\n\r\n';
    const head = `POST /v1/echo HTTP/1.1\r\nHost: api.example.com\r\nX-API-Key: ${KEY}\r\nContent-Type: application/json\r\n`;
    const both = `${head}Content-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`;
    expect((await untilClosed(both)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  });
});

describe('names with a meaning in JavaScript', () => {
  it.each([
    '{"__proto__":{"email":"x"},"email":"y"}',
    '{"constructor":{"prototype":{"polluted":true}},"email":"y"}',
    '{"email":"y","mode":null,"toString":1}',
  ])('are ordinary fields: %s', async (body) => {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${api.port()}/v1/echo`, { method: 'POST', headers, body });
    expect([response.status, await response.json()]).toMatchObject([200, { email: 'y' }]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['email']).toBeUndefined();
  });
});
