import { holdUp } from '../support/hold-up.js';
import { ask, deadServer, found, resolverFor, right, serve, endAll } from './support/resolver-under-test.js';
import { a, answer } from './support/scripted-dns.js';

afterEach(endAll);

describe('a flaky server', () => {
  it('is queried again if the first query is lost', async () => {
    const server = await serve((asked, self) => (asked.before === 0 ? [] : right(asked, self)));
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
    expect(server.count('example.com', 'A')).toBe(2);
  });

  it('is queried again if it fails once', async () => {
    const server = await serve((asked, self) =>
      asked.before === 0 ? [answer(asked, { rcode: 2 })] : right(asked, self),
    );
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
    expect(server.count('example.com', 'A')).toBe(2);
  });

  it('may answer the first query after the second was sent', async () => {
    const held: Buffer[] = [];
    const server = await serve((asked, self) => {
      if (asked.before === 0) held.push(answer(asked, { answers: [a(asked.name, '192.0.2.1')] }));
      else for (const bytes of held) setImmediate(() => self.reply(self.asked[0]!, bytes));
      return [];
    });
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
  });

  it('may answer the last query while our process is held up until its time is over', async () => {
    const timeoutMs = 1_600;
    const server = await serve((asked, self) => {
      if (asked.before < 3) return [];
      setImmediate(() => holdUp(timeoutMs));
      return right(asked, self);
    });
    expect(await ask(resolverFor([server], { timeoutMs }), 'example.com', 'A')).toMatchObject(found);
  });

  it.each([
    ['SERVFAIL', 2],
    ['REFUSED', 5],
  ])('that answers %s is replaced by the next at once', async (_name, rcode) => {
    const bad = await serve((asked) => [answer(asked, { rcode })]);
    const good = await serve(right);
    expect(await ask(resolverFor([bad, good], { timeoutMs: 600_000 }), 'example.com', 'A')).toMatchObject(found);
    expect(bad.count('example.com', 'A')).toBe(1);
  });

  it('that is lame is replaced by the next', async () => {
    const ns = { type: 'NS', name: 'com', ttl: 60, data: 'ns.example' } as const;
    const lame = await serve((asked) => [answer(asked, { authorities: [ns] })]);
    const good = await serve(right);
    expect(await ask(resolverFor([lame, good], { timeoutMs: 600_000 }), 'example.com', 'A')).toMatchObject(found);
  });

  it('that is down is replaced by the next at once', async () => {
    const at = await deadServer();
    const good = await serve(right);
    const resolver = resolverFor([good], { servers: [at, good.at], timeoutMs: 600_000 });
    expect(await ask(resolver, 'example.com', 'A')).toMatchObject(found);
  });

  it('that is silent comes last for the next query', async () => {
    const silent = await serve(() => []);
    const good = await serve(right);
    const resolver = resolverFor([silent, good], { timeoutMs: 3_200 });
    await ask(resolver, 'one.example', 'A');
    expect(silent.count('one.example', 'A')).toBe(1);
    await ask(resolver, 'two.example', 'A');
    expect(silent.count('two.example', 'A')).toBe(0);
  });

  it('without EDNS support is queried without it from then on', async () => {
    const server = await serve((asked, self) =>
      asked.query.additionals?.length === 0 ? right(asked, self) : [answer(asked, { rcode: 1 })],
    );
    const resolver = resolverFor([server]);
    expect(await ask(resolver, 'one.example', 'A')).toMatchObject(found);
    expect(await ask(resolver, 'two.example', 'A')).toMatchObject(found);
    expect(server.asked.map(({ name }) => name)).toEqual(['one.example', 'one.example', 'two.example']);
  });
});
