import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import type { DnsAnswer, Resolver } from '../../src/engine/dns/resolver.js';
import { clearance } from '../../src/platform/egress/clearance.js';
import { HttpsClient } from '../../src/platform/https/https-client.js';
import type { HttpsOutcome, HttpsRequest } from '../../src/platform/https/http-exchange.js';
import { withDeadline } from '../../src/platform/scheduling/stoppable-deadline.js';
import { startDeafHost } from '../support/deaf-host.js';
import { TestAuthority, type CertificateRequest } from '../support/certificates.js';
import { trust } from '../support/trust.js';
import { waitUntil } from '../support/wait-until.js';

const HOST = 'mta-sts.example.test';
const DAY = 86_400_000;
const authority = new TestAuthority();
const stranger = new TestAuthority('Nobody’s authority');
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let closing: (() => Promise<unknown>)[] = [];
let distrust: () => void;
beforeAll(() => {
  distrust = trust(authority.certificate);
});
afterAll(() => distrust());
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

/** @returns its port on 127.0.0.1 */
async function serve(handler: Handler, certificate: Partial<CertificateRequest> = {}, by = authority): Promise<number> {
  return listen(createServer(by.issue({ names: [HOST], ...certificate }), handler));
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

const page =
  (body: string, headers: Record<string, string> = { 'content-type': 'text/plain' }, status = 200): Handler =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };

/** Knows the addresses of every host. */
const resolverOf = (addresses: readonly string[]): Resolver => ({
  query: async (_, type): Promise<DnsAnswer> => {
    const found = { ttlSeconds: 60, authenticated: false };
    if (type !== 'A') return { kind: 'nodata', ...found };
    return { kind: 'records', records: addresses.map((address) => ({ type: 'A', address })), ...found };
  },
});

interface More extends Partial<Omit<HttpsRequest, 'deadline'>> {
  readonly addresses?: readonly string[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function get(
  port: number,
  { timeoutMs = 5000, signal, addresses = ['127.0.0.1'], ...more }: More = {},
  allowPrivate = true,
): Promise<HttpsOutcome> {
  const client = new HttpsClient({ resolver: resolverOf(addresses), port, clearance: clearance(allowPrivate) });
  const request = { host: HOST, path: '/.well-known/mta-sts.txt', headers: {}, maxOctets: 65_536 };
  return withDeadline(timeoutMs, signal, (deadline) => client.ask({ ...request, ...more, deadline }));
}

const REFUSED_CERTIFICATE = { kind: 'refused', why: 'certificate' };
const FAILED = { kind: 'failed', ours: false };

it('reads a page by host name and path', async () => {
  const asked: unknown[] = [];
  const port = await serve((request, response) => {
    asked.push([request.method, request.url, request.headers.host]);
    page('version: STSv1\r\n')(request, response);
  });
  expect(await get(port)).toEqual({
    kind: 'answer',
    status: 200,
    headers: expect.objectContaining({ 'content-type': 'text/plain' }),
    body: 'version: STSv1\r\n',
  });
  expect(asked).toEqual([['GET', '/.well-known/mta-sts.txt', `${HOST}:${port}`]]);
});

describe('the certificate', () => {
  it.each<[string, Partial<CertificateRequest>, object]>([
    ['with a wildcard for the name is good', { names: ['*.example.test'] }, { kind: 'answer' }],
    ['for another name is refused', { names: ['www.example.test'] }, REFUSED_CERTIFICATE],
    ['for the name as common name alone is refused', { names: [], commonName: HOST }, REFUSED_CERTIFICATE],
    [
      'that has expired is refused',
      { notBefore: new Date(Date.now() - 30 * DAY), notAfter: new Date(Date.now() - DAY) },
      REFUSED_CERTIFICATE,
    ],
    ['of tomorrow is refused', { notBefore: new Date(Date.now() + DAY) }, REFUSED_CERTIFICATE],
  ])('%s', async (_, certificate, outcome) => {
    expect(await get(await serve(page('yes'), certificate))).toMatchObject(outcome);
  });

  it('of an unknown authority is refused', async () => {
    expect(await get(await serve(page('yes'), {}, stranger))).toEqual(REFUSED_CERTIFICATE);
  });
});

it('follows no redirect, and reads only the body of a 200', async () => {
  const port = await serve(page('elsewhere', { location: 'https://www.example.test/' }, 301));
  expect(await get(port)).toMatchObject({ kind: 'answer', status: 301, body: null });
});

describe('sizes', () => {
  const large = 'x'.repeat(65_537);
  it('reads up to the limit, and not an octet more', async () => {
    expect(await get(await serve(page(large.slice(1))))).toMatchObject({ kind: 'answer', body: large.slice(1) });
    const refused = { kind: 'refused', why: 'size' };
    expect(await get(await serve(page(large, { 'content-length': '65537' })))).toEqual(refused);
    expect(await get(await serve(page(large, { 'transfer-encoding': 'chunked' })))).toEqual(refused);
  });

  it('stops reading an endless body', async () => {
    let written = 0;
    const port = await serve((_, response) => {
      response.on('error', () => undefined);
      const more = (): void => {
        while (!response.destroyed && response.write('y'.repeat(16_384))) written += 16_384;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await get(port)).toEqual({ kind: 'refused', why: 'size' });
    expect(written).toBeLessThan(50_000_000);
  });

  it('gives up on endless provisional answers, and reads the answer after a few', async () => {
    const port = await serve((_, response) => {
      const { socket } = response;
      const flood = (): void => {
        for (let i = 0; i < 100; i += 1) response.writeProcessing();
        if (socket?.destroyed === false) setImmediate(flood);
      };
      flood();
    });
    expect(await get(port)).toMatchObject({ kind: 'failed', why: 'it sent provisional answers only', ours: false });
    const polite = await serve((request, response) => {
      for (let i = 0; i < 5; i += 1) response.writeProcessing();
      page('fine')(request, response);
    });
    expect(await get(polite)).toMatchObject({ kind: 'answer', status: 200, body: 'fine' });
  });

  it('gives up on endless headers', async () => {
    const port = await serve((request) => {
      request.socket.write(`HTTP/1.1 200 OK\r\n${'x-more: 1234567890\r\n'.repeat(5000)}`);
    });
    expect(await get(port)).toMatchObject(FAILED);
  });
});

describe('time', () => {
  it.each<[string, Handler]>([
    ['says nothing', () => undefined],
    ['stops in the middle', (_, response) => void response.write('version: STSv1\n')],
  ])('runs out for a server that %s', async (_, handler) => {
    const began = performance.now();
    expect(await get(await serve(handler), { timeoutMs: 200 })).toMatchObject(FAILED);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('runs out during the handshake, too', async () => {
    expect(await get(await listen(createTcpServer()), { timeoutMs: 200 })).toMatchObject(FAILED);
  });

  it('runs out when the caller aborts', async () => {
    const stop = new AbortController();
    const port = await serve(() => stop.abort());
    expect(await get(port, { signal: stop.signal })).toMatchObject(FAILED);
    expect(await get(port, { signal: stop.signal })).toMatchObject(FAILED);
  });
});

describe('a connection', () => {
  it('that breaks off, or speaks no TLS or HTTP, is a failure without a conclusion', async () => {
    expect(await get(await serve((request) => request.socket.destroy()))).toMatchObject(FAILED);
    const half = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    expect(await get(half)).toMatchObject(FAILED);
    expect(await get(await serve(({ socket }) => socket.end('no HTTP at all\r\n\r\n')))).toMatchObject(FAILED);
    const plain = createTcpServer((socket) => void socket.end('220 mail host\r\n'));
    expect(await get(await listen(plain))).toMatchObject(FAILED);
  });

  it('is made to the next address if one refuses', async () => {
    const port = await serve(page('yes'));
    expect(await get(port, { addresses: ['127.0.0.2', '127.0.0.1'] })).toMatchObject({ kind: 'answer' });
    expect(await get(port, { addresses: ['127.0.0.2'] })).toMatchObject(FAILED);
  });

  it('is made to three addresses at most', async () => {
    const port = await serve(page('yes'));
    const dead = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
    expect(await get(port, { addresses: [...dead.slice(1), '127.0.0.1'] })).toMatchObject({ kind: 'answer' });
    expect(await get(port, { addresses: [...dead, '127.0.0.1'] })).toMatchObject(FAILED);
  });

  it('is made to the next address if one does not answer for five seconds', async () => {
    const port = await serve(page('yes'));
    const full = await startDeafHost(port);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'Date'] });
    try {
      let isOver = false;
      const asking = get(port, { addresses: [full.address, '127.0.0.1'], timeoutMs: 15_000 }).finally(
        () => (isOver = true),
      );
      await jest.advanceTimersByTimeAsync(4999);
      expect(isOver).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      jest.useRealTimers();
      expect(await waitUntil(() => Promise.resolve(isOver), { ms: 20_000 })).toBe(true);
      expect(await asking).toMatchObject({ kind: 'answer' });
    } finally {
      jest.useRealTimers();
      full.stop();
    }
  });

  it('is never made to an address that is not cleared', async () => {
    let connections = 0;
    const port = await listen(createTcpServer(() => (connections += 1)));
    const addresses = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', 'localhost'];
    expect(await get(port, { addresses }, false)).toEqual({ kind: 'refused', why: 'address' });
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1']) {
      expect(await get(port, { host }, false)).toEqual({ kind: 'refused', why: 'address' });
    }
    expect(connections).toBe(0);
  });
});

it('a request leaves no socket behind', async () => {
  const open = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const before = open();
  const port = await serve(page('x'.repeat(70_000)));
  for (let i = 0; i < 5; i += 1) await get(port);
  await Promise.all(closing.splice(0).map((close) => close()));
  for (let turn = 0; open() > before && turn < 200; turn += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(open()).toBeLessThanOrEqual(before);
});
