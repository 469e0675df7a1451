import {
  ask,
  deadServer,
  expectAllSocketsClosed,
  resolverFor,
  right,
  serve,
  within,
  endAll,
} from './support/resolver-under-test.js';
import { answer, framed } from './support/scripted-dns.js';

afterEach(endAll);

const TRUNCATED = 0x0200;
describe('after a query', () => {
  it('nothing is left behind, however it ends', async () => {
    const deadAt = await deadServer();
    const server = await serve((asked, self) => {
      if (asked.name.startsWith('silent')) return [];
      if (asked.name.startsWith('servfail')) return [answer(asked, { rcode: 2 })];
      if (asked.name.startsWith('big') && asked.transport === 'udp') return [answer(asked, { flags: TRUNCATED })];
      if (asked.name.startsWith('big')) return right(asked, self).map(framed);
      return right(asked, self);
    });
    const resolver = resolverFor([server], { servers: [server.at, deadAt], timeoutMs: 800 });
    const kinds = ['right', 'silent', 'servfail', 'big'];
    const names = Array.from({ length: 400 }, (_, n) => `${kinds[n % 4]}${n}.example`);
    await Promise.all(names.map((name, n) => ask(resolver, name, 'A', { deadline: within(n % 8 === 0 ? 30 : 5_000) })));
    resolver.close();
    await expectAllSocketsClosed();
    await endAll();
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThan(5);
  });

  it('nothing is left behind after close, and running queries end as our own failure', async () => {
    const server = await serve(() => []);
    const resolver = resolverFor([server], { timeoutMs: 60_000 });
    const pending = ask(resolver, 'example.com', 'A');
    await server.heard('example.com', 'A');
    resolver.close();
    const ended = { kind: 'failure', why: 'network', blame: 'resolver' };
    expect(await pending).toEqual(ended);
    expect(await ask(resolver, 'example.com', 'A')).toEqual(ended);
    await expectAllSocketsClosed();
  });

  it('nothing was sent for a deadline in the past', async () => {
    const server = await serve(right);
    const deadline = within(60_000);
    deadline.cancel();
    expect(await ask(resolverFor([server]), 'example.com', 'A', { deadline })).toMatchObject({
      kind: 'failure',
      why: 'timeout',
      blame: 'resolver',
    });
    expect(server.asked).toEqual([]);
  });
});
