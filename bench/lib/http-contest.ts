import { apiUnderTest } from './api-under-test.js';
import type { BareOptions } from './bare-options.js';
import { startChild, type Child } from './child.js';
import { cpuSeconds, OTHER_CORES, SERVER_CORE, tieTo, untie } from './cores.js';
import { load, type Request } from './http-load.js';
import { percentile } from './rate.js';
import { inTurns } from './rounds.js';

const ROUND_MS = 2000;
/** Warm-up, so that compilation is not measured. */
const WARM_UP_MS = 4000;

/** The result of one server in one round. */
export interface Run {
  readonly perSecond: number;
  /** CPU time of the server per request, user and system; NaN if unknown. */
  readonly cpuMicros: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface Contestant {
  readonly server: { readonly url: URL; readonly pid: number | undefined };
  readonly connections: number;
  readonly requests: readonly Request[];
}

/**
 * Measures servers under the same load, in turns. All servers share one core, one at a time; load generator, databases
 * and other processes run on the other cores.
 */
export async function contest<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
): Promise<Record<Name, Run[]>> {
  const { pids } = apiUnderTest();
  const { main, ...others } = pids;
  const all = Object.values<Contestant>(contestants);
  const servers = [...new Set([main, ...all.map(({ server }) => server.pid)])];
  const surroundings = [process.pid, ...Object.values(others)];
  tieTo(SERVER_CORE, servers);
  tieTo(OTHER_CORES, surroundings);
  const warm = new Set<string>();
  for (const contestant of all) {
    if (warm.has(contestant.server.url.href)) continue;
    warm.add(contestant.server.url.href);
    await run(contestant, WARM_UP_MS);
  }
  const names = Object.keys(contestants) as Name[];
  const turns = Object.fromEntries(names.map((name) => [name, () => run(contestants[name], ROUND_MS)]));
  const runs = await inTurns(turns as Record<Name, () => Promise<Run>>);
  untie([main, ...surroundings]);
  return runs;
}

async function run({ server, connections, requests }: Contestant, ms: number): Promise<Run> {
  const before = cpuSeconds(server.pid);
  const { perSecond, tookMs } = await load(server.url, { connections, requests, ms });
  const cpuMicros = ((cpuSeconds(server.pid) - before) / tookMs.length) * 1e6;
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((p) => percentile(tookMs, p)) as [number, number, number];
  return { perSecond, cpuMicros, p50, p95, p99 };
}

/** The service itself as a measured server. */
export function productServer(path: string): Contestant['server'] {
  const { url, pids } = apiUnderTest();
  return { url: new URL(path, url), pid: pids['main'] };
}

/** One of `bench/processes` in place of the service. */
export async function bareServer(
  name: Parameters<typeof startChild>[0],
  options: Pick<BareOptions, 'accounts' | 'answer'>,
): Promise<Child<string> & { readonly server: Contestant['server'] }> {
  const { databaseUrl, redisUrl, environment } = apiUnderTest();
  const addressSecret = (environment['ADDRESS_HASH_SECRET'] ?? '').replace(/^1:/, '');
  const child = await startChild<string>(name, JSON.stringify({ ...options, databaseUrl, redisUrl, addressSecret }));
  return { ...child, server: { url: new URL(child.told), pid: child.pid } };
}
