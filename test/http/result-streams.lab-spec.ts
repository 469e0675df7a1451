import Fastify from 'fastify';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { ResultStreams, type ResultStream } from '../../src/jobs/result-streams.js';
import type { AppError } from '../../src/platform/errors/app-error.js';

const PIECE = 'x'.repeat(48 * 1024);
/** Longer than any test. */
const LONG = 600_000;

let streams: ResultStreams;
let server: Server;
const sockets: Socket[] = [];
/** For clients that are gone by then. */
const begun: ResultStream[] = [];

/** Sends answers without an end, by as many streams as there may be. */
async function start(giveWayMs: number): Promise<void> {
  streams = new ResultStreams({
    streams: { total: 3, perAccount: 2 },
    characters: { total: 3000, perAccount: 1000 },
    stallMs: LONG,
    giveWayMs,
  });
  server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['x-account'] === 'late') {
      response.once('close', () => begun.push(streams.begin('late', response)));
      return;
    }
    try {
      const stream = streams.begin(String(request.headers['x-account']), response);
      stream.hold(Number(request.headers['x-characters'] ?? 0));
    } catch (error) {
      response.writeHead(418, { 'X-Refusal': (error as AppError).code }).end();
      return;
    }
    const endless = Readable.from(
      (function* pieces() {
        for (;;) yield PIECE;
      })(),
      { highWaterMark: 1 },
    );
    response.once('close', () => endless.destroy());
    endless.pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Asks, and reads no more than the beginning of what comes. */
async function ask(account: string, characters = 0): Promise<{ socket: Socket; said: string }> {
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nX-Account: ${account}\r\nX-Characters: ${characters}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, said: /X-Refusal: (\w+)/.exec(String(first))?.[1] ?? 'begun' };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

describe('ResultStreams', () => {
  it('are limited per account and per process, and free their slot when the client disconnects', async () => {
    await start(LONG);
    const { socket } = await ask('a');
    const said: string[] = [];
    for (const account of ['a', 'a', 'b', 'b', 'c']) said.push((await ask(account)).said);
    expect(said).toEqual(['begun', 'quota_exceeded', 'begun', 'service_unavailable', 'service_unavailable']);
    expect([streams.count, streams.refused]).toEqual([3, { account: 1, process: 2 }]);
    socket.destroy();
    await until(() => streams.count === 2);
    expect((await ask('c')).said).toBe('begun');
  });

  it('are ended for others if their clients read nothing', async () => {
    await start(0);
    for (const account of ['a', 'a', 'b']) await ask(account);
    const closed = Promise.race(sockets.map((socket) => once(socket, 'close')));
    expect((await ask('c')).said).toBe('begun');
    expect(streams.count).toBe(3);
    for (const socket of sockets.slice(0, 3)) socket.resume();
    await closed;
  });

  it('reserve no slot for a client that disconnects before they start', async () => {
    await start(LONG);
    const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-Account: late\r\n\r\n');
    await once(server, 'request');
    socket.destroy();
    await until(() => begun.length === 1);
    expect(streams.count).toBe(0);
  });

  it('have a memory limit per account and per process', async () => {
    await start(LONG);
    expect((await ask('a', 600)).said).toBe('begun');
    expect((await ask('a', 600)).said).toBe('quota_exceeded');
    expect((await ask('b', 1000)).said).toBe('begun');
  });
});

describe('an answer that fails on its way', () => {
  it.each([
    ['1.0', 'ECONNRESET'],
    ['1.1', 'the end'],
  ])('ends in no way that could be the end of it, over HTTP %s', async (version, end) => {
    const app = Fastify();
    const sent = new ResultStreams();
    app.addHook('onRequest', (request, reply, done) => {
      request.context = { requestId: request.id, responseHeaders: new Map(), response: reply.raw };
      done();
    });
    app.get('/', (request, reply) => reply.type('text/csv').send(sent.send(failing(), request, 'an answer')));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const socket = connect((app.server.address() as { port: number }).port, '127.0.0.1');
    try {
      socket.write(`GET / HTTP/${version}\r\nHost: a\r\n\r\n`);
      const ended = new Promise((resolve) => {
        socket.on('end', () => resolve('the end'));
        socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
      });
      let received = '';
      socket.on('data', (data) => (received += String(data)));
      expect(await ended).toBe(end);
      // What the last chunk of an answer looks like.
      expect(received.endsWith('0\r\n\r\n')).toBe(false);
    } finally {
      socket.destroy();
      await app.close();
    }
  });

  async function* failing(): AsyncGenerator<string> {
    yield 'email\r\n';
    yield 'ada@example.com\r\n';
    await new Promise((resolve) => setTimeout(resolve, 50));
    throw new Error('rows are gone');
  }
});
