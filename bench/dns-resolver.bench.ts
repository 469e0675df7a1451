/** Queries per second of our resolver, compared with Node's resolver (c-ares) at the same server. */
import { Resolver } from 'node:dns/promises';
import { Deadline } from '../src/engine/deadline.js';
import { DnsResolver } from '../src/engine/dns/dns-resolver.js';
import { parseDnsServers } from '../src/engine/dns/dns-servers.js';
import { startChild } from './lib/child.js';
import { report } from './lib/figure.js';
import { settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';
import type { LaboratoryTold } from './processes/laboratory.js';

/** Names repeat, so that the server's logs stay small; uncacheable ones are queried each time. */
const NAMES = 1000;
const COLD = 3000;
const KEPT = 100_000;
const AT_ONCE = 32;

async function main(): Promise<void> {
  const laboratory = await startChild<LaboratoryTold>('laboratory');
  const { dnsServer } = laboratory.told;
  const ours = new DnsResolver({ servers: parseDnsServers(dnsServer), timeoutMs: 3000, cacheEntries: 50_000 });
  const theirs = new Resolver({ timeout: 3000, tries: 3 });
  theirs.setServers([dnsServer]);
  const deadline = Deadline.after(120_000);
  const ask = async (zone: string, index: number): Promise<void> => {
    const { kind } = await ours.query(`n${index % NAMES}.${zone}`, 'MX', { deadline });
    if (kind !== 'records') throw new Error(`a question was answered with ${kind}`);
  };
  const map = new Map(Array.from({ length: NAMES }, (_, n) => [`MX n${n}.kept.test`, { kind: 'records' }]));
  const inMap = (index: number) => Promise.resolve(map.get(`MX n${index % NAMES}.kept.test`));

  const rates = await inTurns({
    theirs: () => settledPerSecond(COLD, AT_ONCE, (index) => theirs.resolveMx(`n${index % NAMES}.cold.test`)),
    ours: () => settledPerSecond(COLD, AT_ONCE, (index) => ask('cold.test', index)),
    inMap: () => settledPerSecond(KEPT, 1, inMap),
    kept: () => settledPerSecond(KEPT, 1, (index) => ask('kept.test', index)),
  });
  deadline.release();
  ours.close();
  theirs.cancel();
  await laboratory.stop();
  report([
    {
      what: `MX over the wire, ${AT_ONCE} at once`,
      unit: '/s',
      rounds: rates.ours,
      baseline: { what: 'c-ares (node:dns)', rounds: rates.theirs },
    },
    {
      what: 'MX from the cache',
      unit: '/s',
      rounds: rates.kept,
      baseline: { what: 'a Map behind a promise', rounds: rates.inMap },
    },
  ]);
}

void main();
