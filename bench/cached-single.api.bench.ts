/**
 * A billed `single` of a cached address over HTTP with the full request path, compared with bare Fastify that does the
 * same I/O naively, and with bare Fastify on the product's own batchers and readers.
 */
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts, spentBy, type BenchAccount } from './lib/bench-accounts.js';
import { bareServer, contest, productServer, type Contestant, type Run } from './lib/http-contest.js';
import { recordedAddresses, requestsOf } from './lib/recorded-addresses.js';
import { report, type Figure } from './lib/figure.js';

const ADDRESSES = 100;
const ACCOUNTS = 50;

interface Loads {
  readonly what: string;
  readonly accounts: readonly BenchAccount[];
  readonly connections: number;
  readonly timesNaive: number;
}

async function main(): Promise<void> {
  const { databaseUrl, key } = apiUnderTest();
  const accounts = await makeAccounts(databaseUrl, ACCOUNTS);
  const { emails, answer } = await recordedAddresses(key, ADDRESSES);
  const naive = await bareServer('naive-server', { accounts, answer });
  const lanes = await bareServer('lanes-server', { accounts, answer });
  const product = productServer('/v1/verify/single');

  const loads: readonly Loads[] = [
    { what: 'one account, 64 connections', accounts: accounts.slice(0, 1), connections: 64, timesNaive: 4.5 },
    { what: '50 accounts, 64 connections', accounts, connections: 64, timesNaive: 2.7 },
    { what: '50 accounts, 256 connections', accounts, connections: 256, timesNaive: 3 },
  ];
  const contestants: Record<string, Contestant> = {};
  for (const { what, accounts: payers, connections } of loads) {
    const requests = requestsOf(payers, emails);
    contestants[`naive, ${what}`] = { server: naive.server, connections, requests };
    contestants[`lanes, ${what}`] = { server: lanes.server, connections, requests };
    contestants[`product, ${what}`] = { server: product, connections, requests };
  }
  const runs = await contest(contestants);
  await Promise.all([naive.stop(), lanes.stop()]);
  await checkLedger(databaseUrl, accounts);

  report(
    loads.flatMap(({ what, timesNaive }) => {
      const own = runs[`product, ${what}`]!;
      const than = (form: string, label: string, target?: number): Figure => ({
        what: `cached single, ${what}: requests`,
        unit: '/s',
        rounds: own.map(({ perSecond }) => perSecond),
        baseline: { what: label, rounds: runs[`${form}, ${what}`]!.map(({ perSecond }) => perSecond) },
        ...(target !== undefined && { target: { atLeast: target } }),
      });
      return [
        than('naive', 'bare Fastify, naively', timesNaive),
        than('lanes', 'bare Fastify, the same lanes', 0.85),
        cost(what, own, runs[`lanes, ${what}`]!),
      ];
    }),
  );
}

function cost(what: string, own: readonly Run[], lanes: readonly Run[]): Figure {
  return {
    what: `cached single, ${what}: processor time`,
    unit: 'µs',
    rounds: own.map(({ cpuMicros }) => cpuMicros),
    baseline: { what: 'bare Fastify, the same lanes', rounds: lanes.map(({ cpuMicros }) => cpuMicros) },
  };
}

/** Every charge must exist exactly once after the measurement. */
async function checkLedger(databaseUrl: string, accounts: readonly BenchAccount[]): Promise<void> {
  const { credits, rows, references } = await spentBy(databaseUrl, accounts);
  if (credits !== rows || rows !== references) {
    throw new Error(`${credits} credits were spent in ${rows} ledger rows under ${references} references`);
  }
}

void main();
