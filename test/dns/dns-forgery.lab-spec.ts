import { ask, found, healthy, resolverFor, right, serve, endAll } from './support/resolver-under-test.js';
import { a, answer, type Script } from './support/scripted-dns.js';

afterEach(endAll);

describe('forged and broken messages', () => {
  const forged = a('example.com', '192.0.2.66');
  const lie = { answers: [forged] };
  const lies: [string, Script][] = [
    ['another id', (asked) => [answer({ ...asked, id: (asked.id + 1) % 65_536 }, lie)]],
    [
      'another name',
      (asked) => [answer({ ...asked, name: 'example.org' }, { answers: [a('example.org', '192.0.2.66')] })],
    ],
    ['another type', (asked) => [answer({ ...asked, type: 'MX' }, lie)]],
    ['noise', () => [Buffer.alloc(40, 0xff), Buffer.alloc(0), Buffer.alloc(3)]],
    ['noise behind the right id', (asked) => [Buffer.concat([answer(asked).subarray(0, 4), Buffer.alloc(60, 0xc0)])]],
    ['a message that breaks off', (asked) => [answer(asked, lie).subarray(0, -3)]],
    ['a name that points to itself', (asked) => [pointingToItself(answer(asked))]],
    ['the question sent back', (asked) => [withoutResponseFlag(answer(asked, lie))]],
  ];

  it.each(lies)('are ignored: %s', async (_what, script) => {
    const server = await serve((asked, self) => [...script(asked, self), ...right(asked, self)]);
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
    expect(server.count('example.com', 'A')).toBe(1);
  });

  it.each(lies)('never end a query early, and yield no address: %s', async (_what, script) => {
    const server = await serve(healthy(script));
    const startedAt = performance.now();
    const result = await ask(resolverFor([server], { timeoutMs: 960 }), 'example.com', 'A');
    expect(result).toMatchObject({ kind: 'failure', blame: 'domain' });
    expect(performance.now() - startedAt).toBeGreaterThan(950);
  });

  it('from another port never arrive', async () => {
    const server = await serve((asked, self) => {
      const bytes = answer(asked, lie);
      void self.forge(asked, bytes);
      return asked.before === 0 ? [] : right(asked, self);
    });
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
  });

  it('must guess an id and a port that change with every query', async () => {
    const server = await serve((asked, self) => (asked.before < 2 ? [] : right(asked, self)));
    const resolver = resolverFor([server], { timeoutMs: 1_600 });
    await Promise.all(Array.from({ length: 10 }, (_, n) => ask(resolver, `n${n}.example`, 'A')));
    const queries = server.asked.filter(({ name }) => name !== '.');
    expect(queries.length).toBeGreaterThanOrEqual(30);
    expect(new Set(queries.map(({ port }) => port)).size).toBeGreaterThan(25);
    expect(new Set(queries.map(({ id }) => id)).size).toBeGreaterThan(25);
  });

  it('are distinguished from silence', async () => {
    const server = await serve(healthy((asked) => [answer(asked, lie).subarray(0, -3)]));
    expect(await ask(resolverFor([server], { timeoutMs: 800 }), 'example.com', 'A')).toEqual({
      kind: 'failure',
      why: 'malformed',
      blame: 'domain',
    });
  });
});

function pointingToItself(head: Buffer): Buffer {
  head.writeUInt16BE(1, 6);
  const pointer = Buffer.from([0xc0 | (head.length >> 8), head.length & 0xff]);
  return Buffer.concat([head, pointer, Buffer.from([0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 66])]);
}

function withoutResponseFlag(bytes: Buffer): Buffer {
  bytes.writeUInt8(bytes.readUInt8(2) & 0x7f, 2);
  return bytes;
}
