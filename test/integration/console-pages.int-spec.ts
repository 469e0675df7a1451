import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ConsoleBench } from './console-bench.js';

const BUILT = resolve(__dirname, '../../web/dist');
let bench: ConsoleBench;
let app: NestFastifyApplication;
beforeAll(async () => {
  if (!existsSync(join(BUILT, 'index.html'))) throw new Error('the page is not built: run npm run build');
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
});
afterAll(() => bench?.close());

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  app.inject({ method, url, headers: { host: 'localhost:3002', ...headers } });
const script = (): string => readdirSync(join(BUILT, 'assets')).find((file) => file.endsWith('.js'))!;

describe('the page', () => {
  it.each([
    '/',
    '/sign-in',
    '/welcome',
    '/overview',
    '/a/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b/lists/x',
    '/admin/queues',
    '/lists/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
    '/a/0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b/lists/x/results/1',
    '/nothing/of/all/this/is/a/page',
  ])('is served at %s, and asked for again each time', async (path) => {
    const { statusCode, headers, body } = await get(path);
    expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-cache',
    ]);
    expect(body).toBe(readFileSync(join(BUILT, 'index.html'), 'utf8'));
  });

  it('runs no inline script and loads nothing from another host', async () => {
    const { headers, body } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'self';/);
    expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|(?:src|href)="(?:https?:)?\/\//i);
    expect(headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('a file of the page', () => {
  it('is kept for a year, since its name changes with its content', async () => {
    const { statusCode, headers } = await get(`/assets/${script()}`);
    expect([statusCode, headers['content-type'], headers['cache-control'], headers['vary']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
      'Accept-Encoding',
    ]);
  });

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (octets: Buffer) => octets],
  ])('comes to a browser that takes %s in the coding %s', async (accepted, coding, decode) => {
    const response = await get(`/assets/${script()}`, { 'accept-encoding': accepted });
    expect(response.headers['content-encoding']).toBe(coding);
    expect(decode(response.rawPayload)).toEqual(readFileSync(join(BUILT, 'assets', script())));
  });

  it('is not sent twice to a browser that has it', async () => {
    const path = `/assets/${script()}`;
    const first = await get(path, { 'accept-encoding': 'br' });
    const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': `W/${String(first.headers['etag'])}` });
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', first.headers['etag']]);
    const plain = await get(path, { 'if-none-match': String(first.headers['etag']) });
    expect(plain.statusCode).toBe(200);
  });

  it('has its headers without it at HEAD', async () => {
    const { statusCode, headers, body } = await get(`/assets/${script()}`, {}, 'HEAD');
    expect([statusCode, body, headers['content-type']]).toEqual([200, '', 'text/javascript; charset=utf-8']);
  });

  it.each([
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/nothing.js',
    '/assets/',
    '/console/nothing',
    '/console/api/nothing',
  ])('is none at %s', async (path) => {
    const { statusCode, body } = await get(path);
    const isPage = statusCode === 200 && body === readFileSync(join(BUILT, 'index.html'), 'utf8');
    // An HTTP client resolves `..` before it asks; what is left of it is the page.
    expect(isPage || statusCode === 404).toBe(true);
    expect(body).not.toContain('"dependencies"');
    if (path.startsWith('/console/') || path.includes('%')) expect(statusCode).toBe(404);
  });

  it('is none where a path takes another method', async () => {
    const { statusCode, headers } = await get('/console/api/sign-in');
    expect([statusCode, headers['allow']]).toEqual([405, 'POST']);
  });

  it('takes no POST', async () => {
    expect((await get('/', {}, 'POST')).statusCode).toBe(405);
  });
});
