import type { ServerTrouble } from '../../src/engine/dns/name-server.js';
import { ask, endAll, found, resolverFor, right, serve, within } from './support/resolver-under-test.js';
import { a, answer, type Asked, type Script } from './support/scripted-dns.js';

afterEach(endAll);

const hasEdns = ({ query }: Asked): boolean => (query.additionals ?? []).length > 0;
/** Right without EDNS, unless said otherwise. */
const withoutEdns =
  (withIt: Script, otherwise = right): Script =>
  (asked, self) =>
    (hasEdns(asked) ? withIt : otherwise)(asked, self);
const OPT = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0 } as const;
const opt = { ...OPT, flag_do: false, options: [] };

const FAILURES: readonly (readonly [string, Script])[] = [
  ['drops it', () => []],
  ['says SERVFAIL', (asked) => [answer(asked, { rcode: 2 })]],
  ['says REFUSED', (asked) => [answer(asked, { rcode: 5 })]],
  ['says FORMERR', (asked) => [answer(asked, { rcode: 1 })]],
  ['says NOTIMP', (asked) => [answer(asked, { rcode: 4 })]],
  ['says BADVERS', (asked) => [answer(asked, { additionals: [{ ...opt, extendedRcode: 1 }] })]],
  [
    'puts OPT into the answer section, and the record behind it',
    (asked) => [answer(asked, { answers: [opt], additionals: [a(asked.name, '192.0.2.1')] })],
  ],
  ['sends something that cannot be read', () => [Buffer.alloc(40, 0xff)]],
  ['repeats another question', (asked) => [answer({ ...asked, name: 'other.example' })]],
  [
    'repeats no question',
    (asked) => [Buffer.from([asked.id >> 8, asked.id & 255, 0x81, 0x82, 0, 0, 0, 0, 0, 0, 0, 0])],
  ],
];

describe('a server that does not support EDNS and', () => {
  it.each(FAILURES)('%s is queried without it, and then for a while', async (_how, failing) => {
    const server = await serve(withoutEdns(failing));
    const troubles: (readonly [string, ServerTrouble])[] = [];
    const onTrouble = (label: string, trouble: ServerTrouble): void => void troubles.push([label, trouble]);
    const resolver = resolverFor([server], { timeoutMs: 3_200, onTrouble });
    expect(await ask(resolver, 'one.example', 'A')).toMatchObject(found);
    const before = server.asked.length;
    for (const name of ['two.example', 'three.example']) expect(await ask(resolver, name, 'A')).toMatchObject(found);
    expect(server.asked.slice(before).map((asked) => [asked.name, hasEdns(asked)])).toEqual([
      ['two.example', false],
      ['three.example', false],
    ]);
    expect(resolver.troubles).toEqual([['no_edns']]);
    expect(troubles).toEqual([[`127.0.0.1:${server.at.port}`, 'no_edns']]);
  });

  it.each(FAILURES)('%s does not count as a negative answer', async (_how, failing) => {
    const server = await serve((asked, self) => (hasEdns(asked) ? failing(asked, self) : []));
    expect(await ask(resolverFor([server], { timeoutMs: 800 }), 'one.example', 'MX')).toMatchObject({
      kind: 'failure',
    });
  });

  it.each(FAILURES.filter(([how]) => ['says FORMERR', 'says NOTIMP', 'says BADVERS'].includes(how)))(
    '%s is itself queried without it, and then for a while, even if it fails for the name',
    async (_how, failing) => {
      const server = await serve(
        withoutEdns(failing, (asked, self) => {
          return asked.name === 'one.example' ? [answer(asked, { rcode: 2 })] : right(asked, self);
        }),
      );
      const next = await serve(right);
      const resolver = resolverFor([server, next]);
      expect(await ask(resolver, 'one.example', 'A')).toMatchObject(found);
      expect(server.asked.filter(({ name }) => name === 'one.example').map(hasEdns)).toEqual([true, false]);
      expect(await ask(resolver, 'two.example', 'A')).toMatchObject(found);
      expect(server.asked.filter(({ name }) => name === 'two.example').map(hasEdns)).toEqual([false]);
      expect(next.count('two.example', 'A')).toBe(0);
    },
  );

  it('drops it counts as our own fault until it was queried without', async () => {
    const server = await serve(withoutEdns(() => []));
    const result = await ask(resolverFor([server], { timeoutMs: 60_000 }), 'one.example', 'MX', {
      deadline: within(900),
    });
    expect(result).toEqual({ kind: 'failure', why: 'timeout', blame: 'resolver' });
  });

  it('drops it, and fails for one domain, works: the domain is at fault', async () => {
    const server = await serve(withoutEdns(() => []));
    server.script = (asked, self) => {
      if (hasEdns(asked)) return [];
      return asked.name === '.' ? right(asked, self) : [answer(asked, { rcode: 2 })];
    };
    const result = await ask(resolverFor([server], { timeoutMs: 1_600 }), 'one.example', 'MX');
    expect(result).toEqual({ kind: 'failure', why: 'servfail', blame: 'domain' });
  });
});

describe('a server that supports EDNS', () => {
  it('is queried with it after a lost query', async () => {
    const server = await serve((asked, self) =>
      asked.name === 'lost.example' && asked.before === 0 ? [] : right(asked, self),
    );
    const resolver = resolverFor([server], { timeoutMs: 800 });
    for (const name of ['one.example', 'lost.example', 'two.example']) {
      expect(await ask(resolver, name, 'A')).toMatchObject(found);
    }
    expect(server.asked.filter(({ name }) => name !== '.').every(hasEdns)).toBe(true);
    expect(resolver.troubles).toEqual([[]]);
  });

  it.each([
    ['SERVFAIL', 2],
    ['FORMERR', 1],
  ])('is queried without it for a name where that helps (%s), and with it for others', async (_name, rcode) => {
    const server = await serve((asked, self) =>
      asked.name === 'odd.example' && hasEdns(asked) ? [answer(asked, { rcode })] : right(asked, self),
    );
    const resolver = resolverFor([server], { timeoutMs: 800 });
    for (const name of ['one.example', 'odd.example', 'two.example']) {
      expect(await ask(resolver, name, 'A')).toMatchObject(found);
    }
    expect(hasEdns(server.asked.at(-1)!)).toBe(true);
    expect(resolver.troubles).toEqual([[]]);
  });

  it('gets control queries in the same form as other queries', async () => {
    const server = await serve((asked, self) =>
      asked.name === '.' ? right(asked, self) : [answer(asked, { rcode: 2 })],
    );
    const result = await ask(resolverFor([server], { timeoutMs: 800 }), 'one.example', 'MX');
    expect(result).toEqual({ kind: 'failure', why: 'servfail', blame: 'domain' });
    expect(server.asked.filter(({ name }) => name === '.').map(hasEdns)).toContain(true);
  });
});
