import { Deadline } from '../../../src/engine/deadline.js';
import { DnsResolver, type DnsResolverOptions } from '../../../src/engine/dns/dns-resolver.js';
import type { DnsAnswer, QueryOptions, RecordType } from '../../../src/engine/dns/resolver.js';
import { a, answer, ScriptedDns, type Script } from './scripted-dns.js';

let servers: ScriptedDns[] = [];
let resolvers: DnsResolver[] = [];
let deadlines: Deadline[] = [];

/** Call after each test: ends all that the functions below have started. */
export async function endAll(): Promise<void> {
  for (const deadline of deadlines) deadline.release();
  for (const resolver of resolvers) resolver.close();
  await Promise.all(servers.map((server) => server.stop()));
  [servers, resolvers, deadlines] = [[], [], []];
}

export async function serve(script: Script, address?: string): Promise<ScriptedDns> {
  const server = await ScriptedDns.start(script, address);
  servers.push(server);
  return server;
}

/** An address where nobody listens. */
export async function deadServer(): Promise<ScriptedDns['at']> {
  const server = await ScriptedDns.start(() => []);
  const { at } = server;
  await server.stop();
  return at;
}

export function resolverFor(of: readonly ScriptedDns[], options: Partial<DnsResolverOptions> = {}): DnsResolver {
  const resolver = new DnsResolver({
    servers: of.map(({ at }) => at),
    timeoutMs: 6_400,
    cacheEntries: 100,
    ...options,
  });
  resolvers.push(resolver);
  return resolver;
}

export function within(milliseconds: number): Deadline {
  const deadline = Deadline.after(milliseconds);
  deadlines.push(deadline);
  return deadline;
}

export function ask(
  resolver: DnsResolver,
  name: string,
  type: RecordType,
  more: Partial<QueryOptions> = {},
): Promise<DnsAnswer> {
  return resolver.query(name, type, { deadline: within(20_000), ...more });
}

/** Answers every question with one address, which `found` matches. */
export const right: Script = (asked) => [answer(asked, { answers: [a(asked.name, '192.0.2.1')] })];
export const found = { kind: 'records', records: [{ type: 'A', address: '192.0.2.1' }] };

/** Answers the control query, and everything else by the script given. */
export function healthy(script: Script): Script {
  return (asked, server) => (asked.name === '.' ? right(asked, server) : script(asked, server));
}

export function openSockets(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap' || kind === 'TCPSocketWrap').length;
}

/** Sockets that were open before this file's tests: jest runs other files in the same process. */
const openBefore = openSockets();

/** No socket is open beside the servers' own and those of other test files. */
export async function expectAllSocketsClosed(): Promise<void> {
  const expected = (): number => openBefore + servers.length;
  for (let turn = 0; openSockets() > expected() && turn < 500; turn += 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
  expect(openSockets()).toBeLessThanOrEqual(expected());
}
