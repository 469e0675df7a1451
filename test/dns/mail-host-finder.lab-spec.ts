import { MailHostFinder } from '../../src/engine/dns/mail-host-finder.js';
import type { MailHostsFinding } from '../../src/engine/dns/mail-hosts.js';
import { deadServer, endAll, healthy, resolverFor, serve, within } from './support/resolver-under-test.js';
import { a, answer, cname, mx, soa, type Asked, type Script, type ScriptedDns } from './support/scripted-dns.js';

afterEach(endAll);

/** Answers from records, as a resolver does; a name or type that is not there is NODATA. */
function zone(...records: ReturnType<typeof a>[]): Script {
  return healthy((asked: Asked) => {
    const answers = records.filter(
      ({ name, type }) => name === asked.name && (type === asked.type || type === 'CNAME'),
    );
    return [answer(asked, { answers, authorities: answers.length > 0 ? [] : [soa('.')] })];
  });
}

function find(servers: readonly ScriptedDns[], options: { timeoutMs?: number; deadlineMs?: number } = {}) {
  const { timeoutMs = 3_200, deadlineMs = 20_000 } = options;
  const finder = new MailHostFinder(resolverFor(servers, { timeoutMs }), { allowPrivateNetworks: false });
  return finder.findMailHosts('example.com', { deadline: within(deadlineMs) });
}

describe('mail hosts over real DNS', () => {
  it('are found among 13 MX records most of which have no address', async () => {
    const records = Array.from({ length: 13 }, (_, n) => mx('example.com', n, `mx${n}.example.com`));
    const server = await serve(zone(...records, a('mx11.example.com', '8.8.8.8')));
    expect(await find([server])).toMatchObject({ kind: 'found', primary: 'mx11.example.com' });
  });

  it('are found behind a CNAME, and keep the name of the MX record', async () => {
    const server = await serve(
      zone(
        mx('example.com', 1, 'mail.example.com'),
        cname('mail.example.com', 'h.example.net'),
        a('h.example.net', '8.8.8.8'),
      ),
    );
    expect(await find([server])).toMatchObject({
      hosts: [{ name: 'mail.example.com', addresses: ['8.8.8.8'] }],
    });
  });

  it('are looked up again after a failure: SERVFAIL never means "no mail host"', async () => {
    let failing = true;
    const works = zone(mx('example.com', 1, 'mail.example.com'), a('mail.example.com', '8.8.8.8'));
    const server = await serve(
      healthy((asked, self) => (failing ? [answer(asked, { rcode: 2 })] : works(asked, self))),
    );
    const resolver = resolverFor([server], { timeoutMs: 1_600 });
    const finder = new MailHostFinder(resolver, { allowPrivateNetworks: false });
    expect(await finder.findMailHosts('example.com', { deadline: within(20_000) })).toMatchObject({ kind: 'broken' });
    failing = false;
    expect(await finder.findMailHosts('example.com', { deadline: within(20_000) })).toMatchObject({ kind: 'found' });
  });

  it('are looked up once for concurrent checks', async () => {
    const server = await serve(zone(mx('example.com', 1, 'mail.example.com'), a('mail.example.com', '8.8.8.8')));
    const finder = new MailHostFinder(resolverFor([server]), { allowPrivateNetworks: false });
    const deadline = within(20_000);
    const findings = await Promise.all(
      Array.from({ length: 100 }, () => finder.findMailHosts('example.com', { deadline })),
    );
    expect(findings.every(({ kind }) => kind === 'found')).toBe(true);
    expect(server.asked).toHaveLength(2);
  });

  it('of a domain with silent servers are unknown, within the deadline', async () => {
    const server = await serve(healthy(() => []));
    const startedAt = performance.now();
    expect(await find([server], { timeoutMs: 60_000, deadlineMs: 500 })).toMatchObject({ kind: 'broken' });
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it.each<[string, Script, MailHostsFinding['kind']]>([
    ['no address is concluded from silence about it', healthy(() => []), 'broken'],
    ['a lame server proves nothing', healthy((asked) => [answer(asked, { authorities: [ns] })]), 'broken'],
    [
      'a CNAME loop proves nothing',
      healthy((asked) => [answer(asked, { answers: [cname(asked.name, asked.name)] })]),
      'broken',
    ],
  ])('%s', async (_what, hostScript, kind) => {
    const server = await serve(
      healthy((asked, self) => {
        if (asked.name === 'example.com') return [answer(asked, { answers: [mx('example.com', 1, 'm.example.com')] })];
        return hostScript(asked, self);
      }),
    );
    expect(await find([server], { timeoutMs: 1_600 })).toMatchObject({ kind });
  });

  it('cause no verdict while our resolver is down', async () => {
    const finder = new MailHostFinder(resolverFor([], { servers: [await deadServer()], timeoutMs: 1_600 }), {
      allowPrivateNetworks: false,
    });
    expect(await finder.findMailHosts('example.com', { deadline: within(20_000) })).toMatchObject({
      kind: 'unavailable',
    });
  });
});

const ns = { type: 'NS', name: 'com', ttl: 60, data: 'ns.example' } as const;
