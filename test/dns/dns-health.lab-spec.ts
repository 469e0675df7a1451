import {
  ask,
  deadServer,
  endAll,
  found,
  healthy,
  resolverFor,
  right,
  serve,
  within,
} from './support/resolver-under-test.js';
import { answer, soa } from './support/scripted-dns.js';

afterEach(endAll);

const timeout = { kind: 'failure', why: 'timeout' };

describe('the side at fault', () => {
  it.each([
    ['is silent about one domain', [], 'timeout'],
    ['fails for one domain', [2], 'servfail'],
    ['refuses one domain', [5], 'refused'],
  ])('is the domain if the server %s and answers the control query', async (_what, rcodes, why) => {
    const server = await serve(healthy((asked) => rcodes.map((rcode) => answer(asked, { rcode }))));
    const result = await ask(resolverFor([server], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toEqual({ kind: 'failure', why, blame: 'domain' });
  });

  it.each([
    ['fails', 2, 'servfail'],
    ['refuses us', 5, 'refused'],
  ])('is our resolver if it %s for every query, the control query included', async (_what, rcode, why) => {
    const server = await serve((asked) => [answer(asked, { rcode })]);
    const result = await ask(resolverFor([server], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toEqual({ kind: 'failure', why, blame: 'resolver' });
    expect(server.count('.', 'SOA')).toBe(2);
  });

  it('is the domain if the server fails once for the control query', async () => {
    const server = await serve((asked, self) =>
      asked.name === '.' && asked.before > 0 ? right(asked, self) : [answer(asked, { rcode: 2 })],
    );
    const result = await ask(resolverFor([server], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toEqual({ kind: 'failure', why: 'servfail', blame: 'domain' });
  });

  it.each([
    ['says nothing at all', [], 'timeout'],
    ['fails and does not answer the control query', [2], 'servfail'],
  ])('is our resolver if it %s', async (_what, rcodes, why) => {
    const server = await serve((asked) => (asked.name === '.' ? [] : rcodes.map((rcode) => answer(asked, { rcode }))));
    const result = await ask(resolverFor([server], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toEqual({ kind: 'failure', why, blame: 'resolver' });
    expect(server.count('.', 'SOA')).toBeGreaterThan(0);
  });

  it('is our resolver, at once, if nothing listens', async () => {
    const at = await deadServer();
    const startedAt = performance.now();
    const result = await ask(resolverFor([], { servers: [at], timeoutMs: 60_000 }), 'example.com', 'MX');
    expect(result).toEqual({ kind: 'failure', why: 'network', blame: 'resolver' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it.each([1, 3, 4])('is the domain after any readable answer to the control query (answer code %d)', async (rcode) => {
    const server = await serve((asked) => (asked.name === '.' ? [answer(asked, { rcode })] : []));
    const result = await ask(resolverFor([server], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toMatchObject({ ...timeout, blame: 'domain' });
  });

  it('is our resolver if its messages cannot be read', async () => {
    const server = await serve(() => [Buffer.alloc(40, 0xff)]);
    const result = await ask(resolverFor([server], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toMatchObject({ kind: 'failure', blame: 'resolver' });
  });

  it('is the domain if one of two servers works', async () => {
    const dead = await serve(() => []);
    const working = await serve(healthy(() => []));
    const result = await ask(resolverFor([dead, working], { timeoutMs: 1_000 }), 'example.com', 'MX');
    expect(result).toMatchObject({ ...timeout, blame: 'domain' });
  });

  it.each([
    ['domain', true],
    ['resolver', false],
  ])('is known by a deadline shorter than the first retry: %s', async (blame, works) => {
    const server = await serve((asked, self) => (works && asked.name === '.' ? right(asked, self) : []));
    const resolver = resolverFor([server], { timeoutMs: 60_000 });
    const result = await ask(resolver, 'example.com', 'MX', { deadline: within(1_500) });
    expect(result).toEqual({ ...timeout, blame });
  });

  it('is found despite a lost control query', async () => {
    const server = await serve((asked, self) => (asked.name === '.' && asked.before > 0 ? right(asked, self) : []));
    const result = await ask(resolverFor([server], { timeoutMs: 3_000 }), 'example.com', 'MX');
    expect(result).toMatchObject({ ...timeout, blame: 'domain' });
  });
});

describe('the control query', () => {
  it('is not sent while the server works', async () => {
    const server = await serve((asked) => [answer(asked, { rcode: 3, authorities: [soa('example.com')] })]);
    const resolver = resolverFor([server]);
    for (const name of ['a.example', 'b.example', 'c.example']) await ask(resolver, name, 'MX');
    expect(server.count('.', 'SOA')).toBe(0);
  });

  it('is shared by concurrent failures', async () => {
    const server = await serve(healthy((asked) => [answer(asked, { rcode: 2 })]));
    const resolver = resolverFor([server], { timeoutMs: 1_000 });
    const results = await Promise.all(Array.from({ length: 30 }, (_, n) => ask(resolver, `n${n}.example`, 'MX')));
    for (const result of results) expect(result).toMatchObject({ why: 'servfail', blame: 'domain' });
    // On a busy machine its repetition may come too.
    expect([1, 2]).toContain(server.count('.', 'SOA'));
  });

  it('is cached: a failure soon after sends no other', async () => {
    const server = await serve(healthy((asked) => [answer(asked, { rcode: 2 })]));
    const resolver = resolverFor([server], { timeoutMs: 1_000 });
    for (const name of ['a.example', 'b.example', 'c.example']) await ask(resolver, name, 'MX');
    expect([1, 2]).toContain(server.count('.', 'SOA'));
  });

  it('is not repeated while its timeout is cached', async () => {
    const server = await serve(() => []);
    const resolver = resolverFor([server], { timeoutMs: 960 });
    for (const name of ['a.example', 'b.example', 'c.example']) {
      expect(await ask(resolver, name, 'MX')).toMatchObject({ blame: 'resolver' });
    }
    // The one control query and its repetition.
    expect(server.count('.', 'SOA')).toBe(2);
  });

  it('does not trust an old answer of a server that has died since', async () => {
    let alive = true;
    const server = await serve((asked, self) => (alive ? right(asked, self) : []));
    const resolver = resolverFor([server], { timeoutMs: 1_000 });
    expect(await ask(resolver, 'one.example', 'A')).toMatchObject(found);
    alive = false;
    expect(await ask(resolver, 'two.example', 'A')).toMatchObject({ ...timeout, blame: 'resolver' });
    alive = true;
    expect(await ask(resolver, 'two.example', 'A')).toMatchObject(found);
  });
});

it('a server that says nothing is named once, as long as it does not answer', async () => {
  let isUp = false;
  const server = await serve((asked, self) => (isUp ? right(asked, self) : []));
  const told: string[] = [];
  const onTrouble = (_server: string, trouble: string): void => void told.push(trouble);
  const resolver = resolverFor([server], { timeoutMs: 1_000, onTrouble });
  await Promise.all(['a.example', 'b.example'].map((name) => ask(resolver, name, 'A')));
  expect([told, resolver.troubles]).toEqual([['silent'], [['silent']]]);
  isUp = true;
  expect(await ask(resolver, 'c.example', 'A')).toMatchObject(found);
  expect(resolver.troubles).toEqual([[]]);
});

it('a server that answers, and fails for one domain, is not called silent', async () => {
  const server = await serve(healthy(() => []));
  const resolver = resolverFor([server], { timeoutMs: 1_000 });
  await ask(resolver, 'example.com', 'A');
  expect(resolver.troubles).toEqual([[]]);
});
