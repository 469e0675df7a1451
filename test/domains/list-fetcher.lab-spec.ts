import { ListFetcher, type FetchedList, type FetchLimits } from '../../src/domains/lists/list-fetcher.js';
import type { DnsAnswer, Resolver } from '../../src/engine/dns/resolver.js';
import { clearance } from '../../src/platform/egress/clearance.js';
import { HttpsClient } from '../../src/platform/https/https-client.js';
import { TestAuthority } from '../support/certificates.js';
import { trust } from '../support/trust.js';
import { published, startListServer, type Answer, type ListServer } from './support/list-server.js';

const authority = new TestAuthority();
let server: ListServer;
let secure: ListServer;
let distrust: () => void;
beforeAll(async () => {
  distrust = trust(authority.certificate);
  server = await startListServer(published('a.example\n'));
  secure = await startListServer(published('s.example\n'), authority.issue({ names: ['lists.example.test'] }));
});
afterAll(async () => {
  await Promise.all([server.close(), secure.close()]);
  distrust();
});

/** Knows the two names of the test. */
const resolver: Resolver = {
  query: async (name, type): Promise<DnsAnswer> => {
    const found = { ttlSeconds: 60, authenticated: false };
    if (name === 'nobody.example.test') return { kind: 'nxdomain', ...found };
    if (name === 'broken.example.test') return { kind: 'failure', why: 'servfail', blame: 'domain' };
    if (type !== 'A') return { kind: 'nodata', ...found };
    return { kind: 'records', records: [{ type: 'A', address: '127.0.0.1' }], ...found };
  },
};

interface Circumstances {
  readonly allowPrivate?: boolean;
  readonly limits?: Partial<FetchLimits>;
  readonly etag?: string;
  readonly signal?: AbortSignal;
}

function fetchFrom(
  url: string,
  { allowPrivate = true, limits = {}, etag, signal }: Circumstances = {},
): Promise<FetchedList> {
  const https = new HttpsClient({ resolver, clearance: clearance(allowPrivate) });
  return new ListFetcher(https, limits).fetch(new URL(url), etag ?? null, signal ?? new AbortController().signal);
}

const over = (answer: Answer, circumstances?: Circumstances): Promise<FetchedList> => {
  server.answer = answer;
  return fetchFrom(`http://127.0.0.1:${server.port}/list.txt?token=1`, circumstances);
};

it('fetches a list with its entity tag, and only once while it stays the same', async () => {
  let path = '';
  const answer = published('a.example\nb.example\n', '"v1"');
  const list = await over((request, response) => {
    path = request.url ?? '';
    answer(request, response);
  });
  expect(list).toEqual({ kind: 'list', text: 'a.example\nb.example\n', etag: '"v1"' });
  expect(path).toBe('/list.txt?token=1');
  expect(await over(answer, { etag: '"v1"' })).toEqual({ kind: 'unchanged' });
  expect(await over(answer, { etag: '"v0"' })).toMatchObject({ kind: 'list' });
});

it('fetches over HTTPS by name, and only with a valid certificate', async () => {
  expect(await fetchFrom(`https://lists.example.test:${secure.port}/`)).toMatchObject({ text: 's.example\n' });
  expect(await fetchFrom(`https://other.example.test:${secure.port}/`)).toMatchObject({ why: 'certificate' });
  expect(await fetchFrom(`https://127.0.0.1:${secure.port}/`)).toMatchObject({ why: 'certificate' });
});

it.each<[string, Answer, string, RegExp]>([
  ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end(), 'redirect', /302/],
  ['a status of error', (_, response) => response.writeHead(500).end('oops'), 'status', /500/],
  ['a page that is gone', (_, response) => response.writeHead(404).end('a.example\n'), 'status', /404/],
  ['more than a list takes', published('x'.repeat(2001)), 'too_large', /2000/],
  ['nothing at all', () => undefined, 'unreachable', /./],
  [
    'half of it',
    (_, response) => response.writeHead(200, { 'content-length': '50' }).write('a.example\n'),
    'unreachable',
    /./,
  ],
  ['a broken connection', ({ socket }) => socket.destroy(), 'unreachable', /./],
])('refuses an answer with %s', async (_, answer, why, said) => {
  const failed = await over(answer, { limits: { octets: 2000, timeoutMs: 300 } });
  expect(failed).toEqual({ kind: 'failed', why, said: expect.stringMatching(said) });
});

it('connects to no private address unless allowed, by address or by name', async () => {
  const before = server.asked.length;
  for (const host of ['127.0.0.1', '[::1]', '10.0.0.1', 'lists.example.test', 'localhost', '2130706433'])
    expect(await fetchFrom(`http://${host}:${server.port}/`, { allowPrivate: false })).toMatchObject({
      why: 'forbidden_address',
    });
  expect(server.asked).toHaveLength(before);
});

it('reports a host that does not exist', async () => {
  expect(await fetchFrom('http://nobody.example.test/')).toMatchObject({ why: 'unreachable', said: /no address/ });
  expect(await fetchFrom('http://broken.example.test/')).toMatchObject({ why: 'unreachable', said: /DNS/ });
});

it('ends at once when the process stops', async () => {
  const stop = new AbortController();
  const fetched = over(() => stop.abort(), { signal: stop.signal });
  expect(await fetched).toMatchObject({ kind: 'failed' });
});
