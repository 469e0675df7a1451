import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BodiesInFlight } from '../../src/platform/http/body/bodies-in-flight.js';
import { KEY, startTestApi, type TestApi } from './test-api.js';

const KIB = 1024;
const MIB = 1024 * KIB;

let api: TestApi;
let bodies: BodiesInFlight;
const sockets: Socket[] = [];

/** An API in which bodies may take so much memory. */
async function start(total: number, perAccount: number, slowMs?: number): Promise<void> {
  bodies = new BodiesInFlight({ total, perAccount }, slowMs);
  api = await startTestApi({ bodies });
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.app.close();
});

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly limit: string | null;
  readonly body: { readonly error?: { readonly code: string; readonly message: string } } & Record<string, unknown>;
}

async function post(body: string, account = 'acme'): Promise<Answer> {
  const headers = { 'x-api-key': KEY, 'x-account': account, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${api.port()}/v1/large`;
  const response = await fetch(url, { method: 'POST', headers, body });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    limit: response.headers.get('x-ratelimit-limit'),
    body: (await response.json()) as Answer['body'],
  };
}

interface Begun {
  readonly socket: Socket;
  /** What came on its connection, once that is closed. */
  readonly answer: Promise<string>;
}

/** Begins a request whose body does not come to its end, and waits until so many octets are held. */
async function begin(account: string, lines: readonly string[], sent: string, held: number): Promise<Begun> {
  const socket = connect(api.port(), '127.0.0.1');
  sockets.push(socket);
  const type = 'Content-Type: application/json';
  const head = ['POST /v1/large HTTP/1.1', 'Host: a', `X-API-Key: ${KEY}`, `X-Account: ${account}`, type, ...lines];
  socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`);
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk))).on('error', () => undefined);
  await untilHeld((octets) => octets >= held);
  return { socket, answer: once(socket, 'close').then(() => received) };
}

async function untilHeld(isEnough: (octets: number) => boolean): Promise<void> {
  while (!isEnough(bodies.octets)) await new Promise((resolve) => setImmediate(resolve));
}

describe('a large body', () => {
  beforeEach(() => start(8 * MIB, 4 * MIB));

  it('keeps the fields of its route, and the names of the others', async () => {
    const emails = Array.from({ length: 5000 }, (_, i) => `user-${i}@company.example`);
    const body = JSON.stringify({ nonsense: [{ a: 'x'.repeat(300 * KIB) }], emails, more: null });
    expect(await post(body)).toMatchObject({
      status: 200,
      body: { entries: 5000, first: 'user-0@company.example', ignored: ['nonsense', 'more'] },
    });
  });

  it.each<[string, string, number, string]>([
    [
      'too many values in an ignored field',
      `{"x":[${'{},'.repeat(20_000)}1]}`,
      422,
      'the body must have at most 10000 values and names of fields',
    ],
    [
      'too many names',
      `{${'"a":1,'.repeat(20_000)}"b":1}`,
      422,
      'the body must have at most 10000 values and names of fields',
    ],
    [
      'nesting in an ignored field',
      `{"y":"${'x'.repeat(20_000)}","x":${'['.repeat(40)}`,
      400,
      'The body is nested too deeply.',
    ],
    [
      'broken JSON in an ignored field',
      `{"y":"${'x'.repeat(20_000)}","x":[1,]}`,
      400,
      'The body is not JSON: see octet 20016.',
    ],
    ['a raw control character', `{"y":"${'x'.repeat(20_000)}\u0000"}`, 400, 'The body is not JSON: see octet 20007.'],
    ['white space and nothing else', ' '.repeat(900 * KIB), 400, 'The body is not JSON: it ends too early.'],
    ['more than the route takes', `{"y":"${'x'.repeat(MIB)}"}`, 413, 'The body is larger than 1 MiB.'],
  ])('with %s is refused', async (_name, body, status, message) => {
    expect(await post(body)).toMatchObject({ status, limit: '60', body: { error: { message } } });
    expect(bodies.octets).toBe(0);
  });

  it.each<[string, string]>([
    ['a megabyte of white space', `${' '.repeat(900 * KIB)}{"emails":["a"]}`],
    ['a name of half a megabyte', `{"${'n'.repeat(500 * KIB)}":1,"emails":["a"]}`],
    ['a number of half a million digits', `{"emails":["a",${'9'.repeat(500 * KIB)}]}`],
    ['escapes', `{"x":"${'\\u0000'.repeat(80 * KIB)}","\\u0065mails":["a"]}`],
    ['a field twice', `{"emails":[${'1,'.repeat(5000)}1],"x":"${'x'.repeat(20_000)}","emails":["a"]}`],
  ])('with %s is read as JSON', async (_name, body) => {
    const { entries } = { entries: (JSON.parse(body) as { emails: unknown[] }).emails.length };
    expect(await post(body)).toMatchObject({ status: 200, body: { entries, first: 'a' } });
  });
});

describe('memory for bodies', () => {
  const whole = JSON.stringify({ emails: ['x'.repeat(600 * KIB)] });
  const declared = ['Content-Length: 614400'];

  it('is limited per account from the start of a body, and released when its client disconnects', async () => {
    await start(8 * MIB, MIB);
    const { socket } = await begin('acme', declared, '{', 600 * KIB);
    expect(await post(whole)).toMatchObject({
      status: 429,
      retryAfter: '2',
      limit: '60',
      body: {
        error: { code: 'quota_exceeded', message: 'Too many large bodies of this account are on their way at once.' },
      },
    });
    expect((await post('{}')).status).toBe(200);
    expect((await post(whole, 'neighbour')).status).toBe(200);
    socket.destroy();
    await untilHeld((octets) => octets === 0);
    expect((await post(whole)).status).toBe(200);
    expect(bodies.refused).toEqual({ account: 1, process: 0 });
  });

  it('is not reserved for a client that disconnects before its key is known', async () => {
    await start(8 * MIB, MIB);
    const { socket } = await begin('acme', [...declared, 'X-Late: 1'], '{', 0);
    await once(api.app.getHttpServer(), 'request');
    socket.destroy();
    for (let i = 0; i < 10; i++) expect((await post('{}')).status).toBe(200);
    expect(bodies.octets).toBe(0);
    expect((await post(whole)).status).toBe(200);
  });

  it('is limited per process across accounts', async () => {
    await start(MIB, MIB);
    await begin('neighbour', declared, '{', 600 * KIB);
    expect(await post(whole)).toMatchObject({
      status: 503,
      retryAfter: '2',
      body: { error: { code: 'service_unavailable' } },
    });
    expect((await post('{}')).status).toBe(200);
    expect(bodies.refused).toEqual({ account: 0, process: 1 });
  });

  it('counts a body without a length as it arrives', async () => {
    await start(8 * MIB, MIB);
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
    await begin('acme', ['Transfer-Encoding: chunked'], chunk(`{"x":"${'x'.repeat(600 * KIB)}`), 600 * KIB);
    expect((await post(whole)).status).toBe(429);
  });

  it('counts parsed values as more than their bytes', async () => {
    await start(8 * MIB, MIB);
    const values = `{"emails":[${'1,'.repeat(9000)}`;
    await begin('acme', declared, values, 600 * KIB + 9000 * 48);
    expect((await post(JSON.stringify({ emails: ['x'.repeat(20 * KIB)] }))).status).toBe(429);
  });

  it('is reclaimed from a body that arrives too slowly when none is left', async () => {
    await start(MIB, MIB, 0);
    const { answer } = await begin('neighbour', declared, '{', 600 * KIB);
    expect((await post(whole)).status).toBe(200);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(bodies.octets).toBe(0);
  });
});
