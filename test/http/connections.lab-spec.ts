import { once } from 'node:events';
import { eventually, RawClient, requestText } from './raw-client.js';
import { KEY, startTestApi, type TestApi } from './test-api.js';

const key = `X-API-Key: ${KEY}`;
const slow = requestText('GET /v1/slow/1', [key]);

let api: TestApi;
const clients: RawClient[] = [];

async function start(...options: Parameters<typeof startTestApi>): Promise<void> {
  api = await startTestApi(...options);
}
async function open(localAddress?: string): Promise<RawClient> {
  const client = await RawClient.to(api.port(), localAddress);
  clients.push(client);
  return client;
}
afterEach(async () => {
  api.release();
  for (const { socket } of clients.splice(0)) socket.destroy();
  await api.app.close();
});

describe('a client that never closes', () => {
  it.each([
    ['no HTTP', 'HELO there\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['headers too long', requestText('GET /open', [`X-Long: ${'x'.repeat(20_000)}`]), 431],
    ['a body that breaks off', requestText('POST /v1/echo', [key, 'Transfer-Encoding: chunked'], 'zz\r\n'), 400],
  ])('occupies no connection after an answer to %s', async (_, bytes, status) => {
    await start({ limits: { lingerMs: 20 } });
    const client = await open();
    client.write(bytes);
    await client.ended;
    expect(client.statuses).toEqual([status]);
    await eventually(api.connections, (left) => left === 0);
    expect(client.socket.writable).toBe(true);
  });

  it('occupies no connection while it keeps sending garbage', async () => {
    await start({ limits: { lingerMs: 20 } });
    const client = await open();
    client.write('HELO there\r\n\r\n');
    const more = setInterval(() => client.write('more\r\n'), 2);
    await client.ended;
    await eventually(api.connections, (left) => left === 0);
    clearInterval(more);
    expect(client.statuses).toEqual([400]);
  });

  it('is closed at shutdown, whatever it has sent', async () => {
    await start({ limits: { lingerMs: 20 } });
    const [silent, partial, served, body] = [await open(), await open(), await open(), await open()];
    partial.write('GET /open HT');
    served.write(requestText('GET /open'));
    await served.has('{}');
    body.write(requestText('POST /v1/echo', ['Content-Length: 10'], '{'));
    await body.has('unauthorized');
    await api.app.close();
    await Promise.all([silent.ended, partial.ended, served.ended, body.ended]);
    expect([silent, partial, served, body].map(({ statuses }) => statuses)).toEqual([[], [], [200], [401]]);
  });

  it('is answered before the shutdown closes it', async () => {
    await start({ limits: { lingerMs: 20 } });
    const client = await open();
    client.write(slow);
    await eventually(api.waiting, (waiting) => waiting === 1);
    const closed = api.app.close();
    await (
      await open().catch(() => null)
    )?.ended;
    api.release();
    await closed;
    await client.ended;
    expect(client.statuses).toEqual([200]);
  });
});

describe('a table of connections that is three quarters full', () => {
  const limits = { connections: 40 };

  it('drops the oldest ones without a valid key, and accepts every new one', async () => {
    await start({ limits });
    const busy = await open();
    busy.write(slow);
    const known = await open();
    known.write(requestText('GET /v1/jobs/1', [key]));
    await known.has('"id"');
    await eventually(api.waiting, (waiting) => waiting === 1);
    const silent: RawClient[] = [];
    for (let i = 0; i < 28; i++) silent.push(await open());
    known.write(requestText('GET /v1/jobs/2', [key]));
    await known.has('"2"');
    for (let i = 0; i < 5; i++) silent.push(await open());
    await Promise.all(silent.slice(0, 5).map(({ ended }) => ended));
    const late = await open();
    late.write(requestText('GET /v1/jobs/3', [key]));
    await late.has('"3"');
    expect(await api.connections()).toBe(30);
    api.release();
    await busy.has('"1"');
    known.write(requestText('GET /v1/jobs/4', [key]));
    await known.has('"4"');
  });

  it('drops those of load balancers last', async () => {
    await start({ limits, trustedProxies: ['127.0.0.0/28', '2001:db8::1'] });
    const balancer = await open('127.0.0.2');
    const strangers: RawClient[] = [];
    for (let i = 0; i < 34; i++) strangers.push(await open('127.0.1.1'));
    await Promise.all(strangers.slice(0, 5).map(({ ended }) => ended));
    balancer.write(requestText('GET /open'));
    await balancer.has('{}');
    const balancers: RawClient[] = [];
    for (let i = 0; i < 60; i++) balancers.push(await open('127.0.0.3'));
    await Promise.all([...strangers, balancer].map(({ ended }) => ended));
    await balancers[29]!.ended;
    expect(balancers[31]!.socket.readableEnded).toBe(false);
  });
});

describe('the rest of a body after its answer', () => {
  it('is dropped if it takes too long', async () => {
    await start({ limits: { leftoverMs: 50 } });
    const client = await open();
    client.write(requestText('POST /v1/echo', ['Content-Length: 1000'], 'x'));
    const drops = setInterval(() => client.write('x'), 5);
    await client.ended;
    clearInterval(drops);
    expect(client.statuses).toEqual([401]);
    await eventually(api.connections, (left) => left === 0);
  });

  it('is dropped if it is too large', async () => {
    await start({ limits: { leftoverOctets: 100_000, leftoverMs: 600_000 } });
    const client = await open();
    client.write(requestText('POST /v1/echo', ['Transfer-Encoding: chunked']));
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`;
    const drops = setInterval(() => client.write(chunk), 1);
    await client.ended;
    clearInterval(drops);
    expect(client.statuses).toEqual([401]);
    await eventually(api.connections, (left) => left === 0);
  });

  it.each([
    ['no key', '/v1/large', [], 401],
    ['an unknown path', '/v1/nothing', [], 404],
    ['the wrong method', '/open', [], 405],
    ['no JSON', '/v1/large', [key, 'Content-Type: text/plain'], 415],
    ['too much', '/v1/large', [key, 'Content-Type: application/json'], 413],
  ])('is received: %s', async (_, path, headers, status) => {
    await start();
    const size = 3 * 1024 * 1024;
    const client = await open();
    client.write(requestText(`POST ${path}`, [...headers, `Content-Length: ${size}`]));
    const [piece, pieces] = ['x'.repeat(64 * 1024), size / (64 * 1024)];
    for (let i = 0; i < pieces; i++) {
      if (!client.socket.write(piece)) await once(client.socket, 'drain');
    }
    await client.has('"error"');
    expect(client.statuses).toEqual([status]);
  });

  it('that breaks off causes no second answer', async () => {
    await start({ limits: { lingerMs: 20 } });
    const client = await open();
    client.write(requestText('POST /v1/echo', ['Transfer-Encoding: chunked'], '1\r\nx\r\n'));
    await client.has('unauthorized');
    client.write('zz\r\n');
    await client.ended;
    expect(client.statuses).toEqual([401]);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = ['Expect: 100-continue', 'Content-Length: 13'];
  const json = [key, 'Content-Type: application/json'];
  it.each([
    ['no key', 'POST /v1/echo', expecting, 401],
    ['an unknown path', 'POST /v1/nothing', expecting, 404],
    ['the wrong method', 'POST /open', expecting, 405],
    ['a key that is over its rate', 'POST /v1/echo', [...json, 'X-Spent: yes', ...expecting], 429],
    ['no JSON', 'POST /v1/echo', [key, 'Content-Type: text/plain', ...expecting], 415],
    ['too much', 'POST /v1/echo', [...json, 'Expect: 100-continue', 'Content-Length: 300000'], 413],
  ])('is answered at once if the body does not matter: %s', async (_, line, headers, status) => {
    await start();
    const client = await open();
    client.write(requestText(line, headers));
    await client.ended;
    expect(client.statuses).toEqual([status]);
  });

  it('is answered with Retry-After and Connection: close for a key over its rate', async () => {
    await start();
    const client = await open();
    client.write(requestText('POST /v1/echo', [...json, 'X-Spent: yes', ...expecting]));
    await client.has('rate_limit_exceeded');
    // Whether a body or another request comes now, nobody could tell.
    client.write(requestText('GET /v1/jobs/1', [key]));
    await client.ended;
    expect(client.received).toMatch(/^retry-after: 3\r$/im);
    expect(client.received).toMatch(/^connection: close\r$/im);
    expect(client.statuses).toEqual([429]);
    await eventually(api.connections, (left) => left === 0);
  });

  it('is answered 100 if the body matters', async () => {
    await start();
    const client = await open();
    client.write(requestText('POST /v1/echo', [...json, ...expecting]));
    await client.has('HTTP/1.1 100 Continue\r\n\r\n');
    client.write('{"email":"x"}');
    await client.has('{"email":"x"}');
    expect(client.statuses).toEqual([100, 200]);
  });
});
