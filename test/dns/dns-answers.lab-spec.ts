import type { TraceEvent } from '../../src/engine/trace.js';
import { ask, found, healthy, resolverFor, right, serve, endAll } from './support/resolver-under-test.js';
import { a, answer, cname, framed, mx, soa, type Script } from './support/scripted-dns.js';

afterEach(endAll);

const AUTHENTIC = 0x0020;
const TRUNCATED = 0x0200;
describe('an answer', () => {
  it('arrives over IPv4', async () => {
    const server = await serve(right);
    expect(await ask(resolverFor([server]), 'Example.com.', 'A')).toEqual({
      ...found,
      ttlSeconds: 300,
      authenticated: false,
    });
  });

  it('arrives over IPv6', async () => {
    const server = await serve(right, '::1');
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
  });

  it('says whether it was validated', async () => {
    const server = await serve((asked) => [answer(asked, { flags: AUTHENTIC, answers: [a(asked.name, '192.0.2.1')] })]);
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject({ authenticated: true });
  });

  it.each([
    ['nxdomain', 3],
    ['nodata', 0],
  ])('that says "%s" is no failure', async (kind, rcode) => {
    const server = await serve((asked) => [answer(asked, { rcode, authorities: [soa('example.com', 60, 30)] })]);
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toEqual({
      kind,
      ttlSeconds: 30,
      authenticated: false,
    });
  });

  it('fails for a name that cannot be encoded', async () => {
    const server = await serve(right);
    await expect(ask(resolverFor([server]), 'a..example', 'A')).rejects.toThrow(RangeError);
    expect(server.asked).toEqual([]);
  });

  it('is traced with its content and source', async () => {
    const server = await serve(right);
    const resolver = resolverFor([server]);
    const events: TraceEvent[] = [];
    const trace = (event: TraceEvent): unknown => events.push(event);
    await ask(resolver, 'example.com', 'A', { trace });
    await ask(resolver, 'example.com', 'A', { trace });
    const common = { kind: 'dns', name: 'example.com', type: 'A', answer: '192.0.2.1 (TTL 300)' };
    expect(events).toMatchObject([
      { ...common, server: `127.0.0.1:${server.at.port}`, transport: 'udp' },
      { ...common, server: null, transport: 'cache' },
    ]);
  });
});

describe('an answer too big for UDP', () => {
  const many = Array.from({ length: 2_000 }, (_, n) => a('example.com', `192.0.${Math.floor(n / 250)}.${n % 250}`));
  const truncated: Script = (asked, self) => {
    return asked.transport === 'udp' ? [answer(asked, { flags: TRUNCATED })] : self.bigReply(asked);
  };

  it('is fetched whole over TCP', async () => {
    const server = await serve(truncated);
    server.bigReply = (asked) => [framed(answer(asked, { answers: many }))];
    const result = await ask(resolverFor([server]), 'example.com', 'A');
    expect(result.kind === 'records' && result.records).toHaveLength(2_000);
  });

  it('is assembled from pieces of any size', async () => {
    const server = await serve(truncated);
    server.bigReply = (asked) => {
      const bytes = framed(answer(asked, { answers: many.slice(0, 20) }));
      return [...bytes].map((_, index) => bytes.subarray(index, index + 1));
    };
    const result = await ask(resolverFor([server]), 'example.com', 'A');
    expect(result.kind === 'records' && result.records).toHaveLength(20);
  });

  it.each<[string, Script]>([
    ['closes early', (asked, self) => [framed(answer(asked)).subarray(0, 10), self.hangUp]],
    ['sends too short a message', () => [Buffer.from([0, 0])]],
    ['answers another question', (asked) => [framed(answer({ ...asked, name: 'example.org' }))]],
    ['answers under another id', (asked) => [framed(answer({ ...asked, id: (asked.id + 1) % 65_536 }))]],
    ['truncates there too', (asked) => [framed(answer(asked, { flags: TRUNCATED }))]],
  ])('comes from the next server at once if the first %s', async (_what, overTcp) => {
    const bad = await serve(truncated);
    bad.bigReply = (asked) => overTcp(asked, bad);
    const good = await serve(right);
    expect(await ask(resolverFor([bad, good], { timeoutMs: 600_000 }), 'example.com', 'A')).toMatchObject(found);
  });

  it('is fetched without EDNS from a server that refuses it, over TCP too', async () => {
    const server = await serve((asked, self) => {
      const refusal = answer(asked, { rcode: 1 });
      if ((asked.query.additionals ?? []).length === 0) return truncated(asked, self);
      return [asked.transport === 'udp' ? refusal : framed(refusal)];
    });
    server.bigReply = (asked) => [framed(right(asked, server)[0]!)];
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
    expect(server.asked.map(({ transport }) => transport)).toEqual(['udp', 'udp', 'tcp']);
  });

  it('that never arrives over TCP times out with the query', async () => {
    const server = await serve(healthy(truncated));
    server.bigReply = () => [];
    expect(await ask(resolverFor([server], { timeoutMs: 1_200 }), 'example.com', 'A')).toMatchObject({
      kind: 'failure',
      why: 'timeout',
      blame: 'domain',
    });
  });
});

describe('CNAME chains', () => {
  it('are followed by further queries if the answer ends early', async () => {
    const server = await serve((asked) => {
      const answers = asked.name === 'c.example' ? [a('c.example', '192.0.2.1', 50)] : [];
      if (asked.name === 'a.example') answers.push(cname('a.example', 'b.example', 200));
      if (asked.name === 'b.example') answers.push(cname('b.example', 'c.example', 100));
      return [answer(asked, { answers })];
    });
    expect(await ask(resolverFor([server]), 'a.example', 'A')).toMatchObject({
      ...found,
      ttlSeconds: 50,
    });
  });

  it.each<[string, number, Script]>([
    ['in one answer', 1, (asked) => [answer(asked, { answers: [cname('a.x', 'b.x'), cname('b.x', 'a.x')] })]],
    [
      'over several',
      2,
      (asked) => [answer(asked, { answers: [cname(asked.name, asked.name === 'a.x' ? 'b.x' : 'a.x', 0)] })],
    ],
    ['that never end', 11, (asked) => [answer(asked, { answers: [cname(asked.name, `n${asked.name}`)] })]],
  ])('that loop %s are a fault of the domain', async (_what, questions, script) => {
    const server = await serve(script);
    expect(await ask(resolverFor([server]), 'a.x', 'A')).toEqual({
      kind: 'failure',
      why: 'cname_loop',
      blame: 'domain',
    });
    expect(server.asked).toHaveLength(questions);
  });
});

describe('many records', () => {
  it('arrive: 13 mail hosts, and 4,000 over TCP', async () => {
    const hosts = (count: number) => Array.from({ length: count }, (_, n) => mx('example.com', n, `mx${n}.e`));
    const server = await serve((asked) => {
      if (asked.name === 'small.example')
        return [answer(asked, { answers: hosts(13).map((r) => ({ ...r, name: asked.name })) })];
      return asked.transport === 'udp' ? [answer(asked, { flags: TRUNCATED })] : [framed(compressed(asked, 4_000))];
    });
    const resolver = resolverFor([server]);
    const small = await ask(resolver, 'small.example', 'MX');
    expect(small.kind === 'records' && small.records).toHaveLength(13);
    const big = await ask(resolver, 'example.com', 'MX');
    expect(big.kind === 'records' && big.records).toHaveLength(4_000);
  });
});

/** An answer of MX records whose names are all pointers to the question, 16 octets each. */
function compressed(asked: Parameters<typeof answer>[0], count: number): Buffer {
  const head = answer(asked);
  head.writeUInt16BE(count, 6);
  const record = Buffer.from([0xc0, 12, 0, 15, 0, 1, 0, 0, 0, 60, 0, 4, 0, 10, 0xc0, 12]);
  return Buffer.concat([head, ...Array.from({ length: count }, () => record)]);
}
