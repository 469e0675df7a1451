import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { eventually, RawClient, requestText } from './raw-client.js';
import { KEY, startTestApi, type TestApi } from './test-api.js';

const key = `X-API-Key: ${KEY}`;
const slow = (id: number) => requestText(`GET /v1/slow/${id}`, [key]);

let api: TestApi;
let client: RawClient;
async function start(...options: Parameters<typeof startTestApi>): Promise<void> {
  api = await startTestApi(...options);
  client = await RawClient.to(api.port());
}
afterEach(async () => {
  client.socket.destroy();
  api.release();
  await api.app.close();
});

/** Requests of all kinds, and what each is answered with. */
function mixture(count: number): { readonly text: string; readonly bodies: string[] } {
  const json = [key, 'Content-Type: application/json'];
  const kinds = [
    (i: number) => [requestText(`GET /v1/jobs/${i}`, [key]), `{"id":"${i}"}`],
    (i: number) => [
      requestText('POST /v1/echo', [...json, `Content-Length: ${`{"email":"${i}"}`.length}`], `{"email":"${i}"}`),
      `{"email":"${i}"}`,
    ],
    (i: number) => {
      const body = `{"email":"${i}","more":"${'x'.repeat(100_000)}"}`;
      return [
        requestText(
          'POST /v1/echo',
          [...json, 'Transfer-Encoding: chunked'],
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        ),
        `{"email":"${i}"}`,
      ];
    },
    () => [requestText('POST /v1/echo', ['Content-Length: 3'], '{}{'), '"unauthorized"'],
    () => [
      requestText('POST /v1/echo', [...json, 'Expect: 100-continue', 'Content-Length: 13'], '{"email":"e"}'),
      '{"email":"e"}',
    ],
  ];
  const made = Array.from({ length: count }, (_, i) => kinds[i % kinds.length]!(i));
  return { text: made.map(([text]) => text).join(''), bodies: made.map(([, body]) => body!) };
}

describe('pipelined requests', () => {
  it.each([7, 100_000])('are all answered in order, in pieces of %i octets', async (size) => {
    await start();
    const { text, bodies } = mixture(size === 7 ? 5 : 60);
    for (let i = 0; i < text.length; i += size) client.write(text.slice(i, i + size));
    client.socket.end();
    const received = await client.ended;
    const answers = received.split(/(?=HTTP\/1\.1 (?!100))/);
    expect(answers.map((answer, i) => answer.includes(bodies[i]!))).toEqual(bodies.map(() => true));
    expect(client.statuses.filter((status) => status !== 100)).toHaveLength(bodies.length);
  });

  it('are started one at a time', async () => {
    await start();
    client.write([1, 2, 3].map(slow).join(''));
    for (const id of ['1', '2', '3']) {
      await eventually(api.waiting, (waiting) => waiting === 1);
      api.release();
      await client.has(`"id":"${id}"`);
    }
    expect(client.statuses).toEqual([200, 200, 200]);
  });

  it('are answered to a client that has half-closed its connection', async () => {
    await start();
    client.write([1, 2, 3].map(slow).join(''));
    client.socket.end();
    for (let i = 0; i < 3; i++) {
      await eventually(api.waiting, (waiting) => waiting === 1);
      api.release();
      await client.has(`"id":"${i + 1}"`);
    }
    await client.ended;
    expect(client.statuses).toEqual([200, 200, 200]);
  });

  it('cost nothing once the connection is closed', async () => {
    await start();
    const other = await RawClient.to(api.port());
    client.write(slow(1).repeat(200));
    await eventually(api.waiting, (waiting) => waiting === 1);
    client.socket.resetAndDestroy();
    api.release();
    await eventually(api.connections, (left) => left === 1);
    const asked = api.asked();
    other.write(requestText('GET /v1/jobs/1', [key]));
    await other.has('"id"');
    other.socket.destroy();
    expect(api.asked()).toBe(asked + 1);
    expect(asked).toBeLessThan(5);
  });

  it('are answered up to the queue limit, the last with Connection: close', async () => {
    await start({ limits: { waiting: 3 } });
    client.write(requestText('GET /open').repeat(50));
    const received = await client.ended;
    expect(client.statuses).toEqual([200, 200, 200, 200]);
    expect(received.match(/^connection: close/gim)).toHaveLength(1);
    expect(received.lastIndexOf('HTTP/1.1')).toBeLessThan(received.search(/^connection: close/im));
  });

  it('respect the limit across all connections', async () => {
    await start({ limits: { waitingOfAll: 2 } });
    const other = await RawClient.to(api.port());
    client.write(slow(1).repeat(3));
    await eventually(api.waiting, (waiting) => waiting === 1);
    other.write(slow(1).repeat(2));
    await eventually(api.waiting, (waiting) => waiting === 2);
    api.release();
    await other.ended;
    expect(other.statuses).toEqual([200]);
    for (let i = 0; i < 2; i++) {
      await eventually(api.waiting, (waiting) => waiting === 1);
      api.release();
    }
    await client.has('"id"');
    await eventually(
      () => client.statuses.length,
      (answers) => answers === 3,
    );
    client.write(slow(1).repeat(2));
    for (let i = 0; i < 2; i++) {
      await eventually(api.waiting, (waiting) => waiting === 1);
      api.release();
    }
    await eventually(
      () => client.statuses.length,
      (answers) => answers === 5,
    );
  });

  it('are answered before invalid data is refused', async () => {
    await start({ limits: { lingerMs: 20 } });
    client.write(`${slow(1)}${slow(2)}nonsense\r\n\r\n`);
    for (let i = 0; i < 2; i++) {
      await eventually(api.waiting, (waiting) => waiting === 1);
      api.release();
    }
    await client.ended;
    expect(client.statuses).toEqual([200, 200, 400]);
  });

  it('are not answered after one with Connection: close', async () => {
    await start();
    client.write(requestText('GET /open', ['Connection: close']) + requestText('GET /open'));
    await client.ended;
    expect(client.statuses).toEqual([200]);
  });
});

/** What `RequestQueue` uses of Node's HTTP server. */
interface Parsed extends Socket {
  parser: { onIncoming: unknown } | null;
}

/** Makes each connection as if Node were another: `before` we look at it, and `after`. */
function change(server: Server, before: (socket: Parsed) => void, after: (socket: Parsed) => void): void {
  const [node, ...ours] = server.listeners('connection') as (() => void)[];
  server.removeAllListeners('connection');
  for (const listener of [node!, before, ...ours, after]) server.on('connection', listener);
}

describe(`the HTTP server of Node ${process.version}`, () => {
  it.each(['hands requests on by another way', 'shows no parser'])(
    'only the connection ends, not the process, if its second request before the answer %s',
    async (how) => {
      await start();
      client.socket.destroy();
      let known: Parsed['parser'] = null;
      let hands: unknown;
      change(
        api.app.getHttpServer(),
        (socket) => {
          known = socket.parser;
          hands = known?.onIncoming;
          if (how === 'shows no parser') socket.parser = null;
        },
        (socket) => {
          socket.parser = known;
          known!.onIncoming = hands;
        },
      );
      client = await RawClient.to(api.port());
      for (const id of ['1', '2']) {
        client.write(requestText(`GET /v1/jobs/${id}`, [key]));
        await client.has(`"id":"${id}"`);
      }
      client.write(slow(1).repeat(3));
      await client.ended;
      await eventually(api.connections, (left) => left === 0);
      client = await RawClient.to(api.port());
      client.write(requestText('GET /open'));
      await client.has('{}');
    },
  );
});
