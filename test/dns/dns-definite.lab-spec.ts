import type { Answer } from 'dns-packet';
import { MailHostFinder } from '../../src/engine/dns/mail-host-finder.js';
import type { ServerTrouble } from '../../src/engine/dns/name-server.js';
import { ask, endAll, found, healthy, resolverFor, right, serve, within } from './support/resolver-under-test.js';
import { a, answer, framed, mx, soa, type Asked, type ReplyParts, type Script } from './support/scripted-dns.js';

afterEach(endAll);

const RECURSION_AVAILABLE = 0x0080;
const notDefinite = { kind: 'failure', why: 'not_definite', blame: 'domain' };
const NXDOMAIN: ReplyParts = { rcode: 3, authorities: [soa('example')] };
const NODATA: ReplyParts = { authorities: [soa('example')] };
const NEGATIVE = { nxdomain: NXDOMAIN, nodata: NODATA } as const;

/** OPT with Extended DNS Errors (RFC 8914). */
function extended(...codes: readonly number[]): Answer {
  const options = codes.map((code) => ({ code: 15, data: Buffer.from([code >> 8, code & 255, 0x68, 0x69]) }));
  const opt = { udpPayloadSize: 1232, extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false };
  return { type: 'OPT', name: '.', ...opt, options } as unknown as Answer;
}

/** Without the RA bit. */
function withoutRecursion(message: Buffer): Buffer {
  message.writeUInt16BE(message.readUInt16BE(2) & ~RECURSION_AVAILABLE, 2);
  return message;
}

describe.each(['nxdomain', 'nodata'] as const)('"%s"', (kind) => {
  const negative = NEGATIVE[kind];

  it('is definite from a recursive server, also with other extended errors', async () => {
    const server = await serve((asked) => [answer(asked, { ...negative, additionals: [extended(3, 6, 29)] })]);
    expect(await ask(resolverFor([server]), 'gone.example', 'MX')).toMatchObject({ kind });
  });

  it.each([15, 16, 17, 18, 22, 23])('is not definite with the extended error %d', async (code) => {
    const server = await serve(healthy((asked) => [answer(asked, { ...negative, additionals: [extended(3, code)] })]));
    const resolver = resolverFor([server], { timeoutMs: 800 });
    expect(await ask(resolver, 'gone.example', 'MX')).toEqual(notDefinite);
    expect(resolver.troubles).toEqual([['not_definite']]);
  });

  it('is not definite from a server that does not recurse, with any EDNS support', async () => {
    for (const edns of [true, false]) {
      const server = await serve(
        healthy((asked) => {
          const refuses = !edns && (asked.query.additionals ?? []).length > 0;
          return [refuses ? answer(asked, { rcode: 1 }) : withoutRecursion(answer(asked, negative))];
        }),
      );
      expect(await ask(resolverFor([server], { timeoutMs: 800 }), 'gone.example', 'MX')).toEqual(notDefinite);
    }
  });

  it('of a filter is replaced by the answer of another server', async () => {
    const filter = await serve((asked) => [withoutRecursion(answer(asked, negative))]);
    const good = await serve(right);
    const result = await ask(resolverFor([filter, good], { timeoutMs: 600_000 }), 'example.com', 'A');
    expect(result).toMatchObject(found);
  });

  it('is our own fault if the server answers nothing else either', async () => {
    const server = await serve((asked) => [
      asked.name === '.' ? answer(asked, { rcode: 5 }) : withoutRecursion(answer(asked, negative)),
    ]);
    const result = await ask(resolverFor([server], { timeoutMs: 800 }), 'gone.example', 'MX');
    expect(result).toEqual({ ...notDefinite, blame: 'resolver' });
  });
});

it('a filter is reported once, and never queried without EDNS because of it', async () => {
  const server = await serve(healthy((asked) => [answer(asked, { ...NXDOMAIN, additionals: [extended(15)] })]));
  const troubles: ServerTrouble[] = [];
  const resolver = resolverFor([server], {
    timeoutMs: 800,
    onTrouble: (_server, trouble) => void troubles.push(trouble),
  });
  for (const name of ['one.example', 'two.example', 'three.example']) {
    expect(await ask(resolver, name, 'MX')).toEqual(notDefinite);
  }
  expect(troubles).toEqual(['not_definite']);
  const plain = server.asked.filter(({ name, query }) => name !== '.' && query.additionals?.length === 0);
  expect(plain).toEqual([]);
});

describe('an address', () => {
  const script =
    (ip: string, ...codes: readonly number[]): Script =>
    (asked) => [answer(asked, { answers: [a(asked.name, ip)], additionals: [extended(...codes)] })];

  it.each([
    ['0.0.0.0', 15],
    ['0.0.0.0', 22],
    ['0.0.0.0', 23],
    ['127.0.0.1', 17],
    ['198.51.100.7', 16],
  ])('%s of a filter counts as none, with the extended error %d', async (ip, code) => {
    const server = await serve(healthy(script(ip, code)));
    expect(await ask(resolverFor([server], { timeoutMs: 800 }), 'example.com', 'A')).toEqual(notDefinite);
  });

  it('"::" of a filter counts as none', async () => {
    const server = await serve(
      healthy((asked) => [
        answer(asked, {
          answers: [{ type: 'AAAA', name: asked.name, ttl: 60, data: '::' }],
          additionals: [extended(15)],
        }),
      ]),
    );
    expect(await ask(resolverFor([server], { timeoutMs: 800 }), 'example.com', 'AAAA')).toEqual(notDefinite);
  });

  it('that is stale because no server answers still counts', async () => {
    const server = await serve(script('192.0.2.1', 3, 22));
    expect(await ask(resolverFor([server]), 'example.com', 'A')).toMatchObject(found);
  });
});

describe('an answer to another question', () => {
  const chaos = { type: 'MX', name: 'example.com', class: 'CH', data: { exchange: 'chaos.example' } } as Answer;
  it.each<[string, readonly Answer[]]>([
    ['another class', [chaos]],
    ['another type', [a('example.com', '192.0.2.1')]],
    ['another name', [mx('other.example', 10, 'mx.example')]],
  ])('is no negative answer: %s', async (_what, answers) => {
    const server = await serve(healthy((asked) => [answer(asked, { answers })]));
    const result = await ask(resolverFor([server], { timeoutMs: 800 }), 'example.com', 'MX');
    expect(result).toEqual({ kind: 'failure', why: 'malformed', blame: 'domain' });
  });
});

describe('an answer truncated without the TC bit', () => {
  const many = Array.from({ length: 60 }, (_, n) => a('example.com', `192.0.2.${n}`));
  const whole = (asked: Asked): Buffer => answer(asked, { answers: many });

  it.each([512, 600, 900])('at %d octets is fetched whole over TCP', async (octets) => {
    const server = await serve((asked) =>
      asked.transport === 'tcp' ? [framed(whole(asked))] : [whole(asked).subarray(0, octets)],
    );
    const result = await ask(resolverFor([server], { timeoutMs: 600_000 }), 'example.com', 'A');
    expect(result.kind === 'records' && result.records).toHaveLength(60);
  });

  it('is no answer without TCP', async () => {
    const server = await serve(
      healthy((asked, self) => (asked.transport === 'tcp' ? [self.hangUp] : [whole(asked).subarray(0, 512)])),
    );
    const result = await ask(resolverFor([server], { timeoutMs: 800 }), 'example.com', 'A');
    expect(result).toMatchObject({ kind: 'failure', blame: 'domain' });
  });
});

describe('the mail hosts of a domain', () => {
  const find = async (script: Script): Promise<unknown> => {
    const server = await serve(healthy(script));
    const finder = new MailHostFinder(resolverFor([server], { timeoutMs: 800 }), { allowPrivateNetworks: false });
    return finder.findMailHosts('example.com', { deadline: within(20_000) });
  };
  const broken = { kind: 'broken' };

  it.each<[string, Script]>([
    ['the domain', (asked) => [withoutRecursion(answer(asked, NXDOMAIN))]],
    ['its MX records', (asked) => [answer(asked, asked.type === 'MX' ? { additionals: [extended(17)] } : NXDOMAIN)]],
    [
      'the name of its mail host',
      (asked) => [
        asked.type === 'MX'
          ? answer(asked, { answers: [mx(asked.name, 10, 'mx.example')] })
          : withoutRecursion(answer(asked, NXDOMAIN)),
      ],
    ],
    [
      'the address of its mail host',
      (asked) => [
        asked.type === 'MX'
          ? answer(asked, { answers: [mx(asked.name, 10, 'mx.example')] })
          : answer(asked, {
              answers: asked.type === 'A' ? [a(asked.name, '0.0.0.0')] : [],
              additionals: [extended(15)],
            }),
      ],
    ],
  ])('are unknown, not absent, if a filter hides %s', async (_what, script) => {
    expect(await find(script)).toMatchObject(broken);
  });
});

it('an alias without a target has no records', async () => {
  const alias = { type: 'CNAME', name: 'example.com', ttl: 60, data: 'gone.example' } as const;
  const server = await serve((asked) => [answer(asked, { rcode: 3, answers: [alias], authorities: [soa('example')] })]);
  expect(await ask(resolverFor([server]), 'example.com', 'MX')).toMatchObject({ kind: 'nxdomain' });
});
