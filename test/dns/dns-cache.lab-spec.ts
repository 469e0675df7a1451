import {
  ask,
  expectAllSocketsClosed,
  found,
  healthy,
  openSockets,
  resolverFor,
  right,
  serve,
  within,
  endAll,
} from './support/resolver-under-test.js';
import { answer, soa } from './support/scripted-dns.js';

afterEach(endAll);

describe('the cache', () => {
  let now = 0;
  const clock = { now: () => now };
  beforeEach(() => {
    now = 1_000_000;
  });

  it('answers until the TTL ends', async () => {
    const server = await serve(right);
    const resolver = resolverFor([server], clock);
    await ask(resolver, 'example.com', 'A');
    now += 299_000;
    expect(await ask(resolver, 'EXAMPLE.com', 'A')).toMatchObject({ ...found, ttlSeconds: 1 });
    expect(server.count('example.com', 'A')).toBe(1);
    now += 1_000;
    await ask(resolver, 'example.com', 'A');
    expect(server.count('example.com', 'A')).toBe(2);
  });

  it.each([0, 3])('caches a negative answer for the SOA minimum (answer code %d)', async (rcode) => {
    const server = await serve((asked) => [answer(asked, { rcode, authorities: [soa('example.com', 60, 30)] })]);
    const resolver = resolverFor([server], clock);
    await ask(resolver, 'example.com', 'MX');
    now += 29_000;
    expect(await ask(resolver, 'example.com', 'MX')).toMatchObject({ ttlSeconds: 1 });
    expect(server.count('example.com', 'MX')).toBe(1);
    now += 1_001;
    await ask(resolver, 'example.com', 'MX');
    expect(server.count('example.com', 'MX')).toBe(2);
  });

  it('never caches a failure', async () => {
    let failing = true;
    const server = await serve(
      healthy((asked, self) => (failing ? [answer(asked, { rcode: 2 })] : right(asked, self))),
    );
    const resolver = resolverFor([server], { timeoutMs: 1_600 });
    expect(await ask(resolver, 'example.com', 'A')).toEqual({ kind: 'failure', why: 'servfail', blame: 'domain' });
    failing = false;
    expect(await ask(resolver, 'example.com', 'A')).toMatchObject(found);
  });

  it('separates answers with checking disabled', async () => {
    const server = await serve((asked, self) =>
      asked.query.flag_cd ? right(asked, self) : [answer(asked, { rcode: 3, authorities: [soa('example.com')] })],
    );
    const resolver = resolverFor([server]);
    const unchecked = { checkingDisabled: true };
    expect(await ask(resolver, 'example.com', 'A')).toMatchObject({ kind: 'nxdomain' });
    expect(await ask(resolver, 'example.com', 'A', unchecked)).toMatchObject(found);
    expect(await ask(resolver, 'example.com', 'A', unchecked)).toMatchObject(found);
    expect(await ask(resolver, 'example.com', 'A')).toMatchObject({ kind: 'nxdomain' });
    expect(server.count('example.com', 'A')).toBe(3);
  });

  it('is bounded', async () => {
    const server = await serve(right);
    const resolver = resolverFor([server], { cacheEntries: 2 });
    for (const name of ['a.example', 'b.example', 'c.example', 'a.example']) await ask(resolver, name, 'A');
    expect(server.count('a.example', 'A')).toBe(2);
  });
});

describe('concurrent queries for the same question', () => {
  it('share one query', async () => {
    const server = await serve(right);
    const resolver = resolverFor([server], { cacheEntries: 0 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(resolver, 'example.com', 'A')));
    expect(answers).toHaveLength(50);
    for (const one of answers) expect(one).toMatchObject(found);
    expect(server.count('example.com', 'A')).toBe(1);
  });

  it("keep each caller's own deadline, beyond the shortest", async () => {
    const server = await serve(healthy((asked, self) => (asked.before > 0 ? right(asked, self) : [])));
    const resolver = resolverFor([server], { timeoutMs: 12_800 });
    const patient = ask(resolver, 'example.com', 'A');
    const hasty = ask(resolver, 'example.com', 'A', { deadline: within(1_000) });
    expect(await hasty).toEqual({ kind: 'failure', why: 'timeout', blame: 'domain' });
    expect(await patient).toMatchObject(found);
    expect(server.count('example.com', 'A')).toBe(2);
  });

  it('end when the last caller has cancelled', async () => {
    const server = await serve(() => []);
    const resolver = resolverFor([server], { timeoutMs: 60_000 });
    const one = within(60_000);
    const other = within(60_000);
    const answers = [
      ask(resolver, 'example.com', 'A', { deadline: one }),
      ask(resolver, 'example.com', 'A', { deadline: other }),
    ];
    await server.heard('example.com', 'A');
    one.cancel();
    expect(await answers[0]).toMatchObject({ kind: 'failure' });
    expect(openSockets()).toBeGreaterThan(1);
    other.cancel();
    expect(await answers[1]).toMatchObject({ kind: 'failure' });
    await expectAllSocketsClosed();
  });
});
