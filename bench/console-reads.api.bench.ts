/**
 * Reads of the console's API for an account with a million ledger rows, compared with one that has a hundred. Every 95th
 * percentile must stay under 50 ms.
 */
import { apiUnderTest } from './lib/api-under-test.js';
import { makeConsoleMember, makeConsoleUser, type ConsoleMember } from './lib/console-member.js';
import { startConsole } from './lib/console-under-test.js';
import { report, type Figure } from './lib/figure.js';
import { dayBefore, fillLedger } from './lib/long-ledger.js';
import { inTurns } from './lib/rounds.js';

const LONG = Number(process.env['CONSOLE_BENCH_ROWS'] ?? 1_000_000);
const SHORT = 100;
const REQUESTS = 20;
const LIMIT_MS = 50;

interface Reader extends ConsoleMember {
  /** Id of a row in the middle of its ledger. */
  readonly middle: string;
}

const READS: Readonly<Record<string, (reader: Reader) => string>> = {
  'overview of 90 days': ({ account }) => `accounts/${account}/overview?days=90`,
  'first page of the statement': ({ account }) => `accounts/${account}/ledger?limit=200`,
  'page in the middle': ({ account, middle }) => `accounts/${account}/ledger?limit=200&cursor=${middle}`,
  'page of refunds': ({ account }) => `accounts/${account}/ledger?limit=200&kind=refund`,
  'page of grants': ({ account }) => `accounts/${account}/ledger?limit=200&kind=grant`,
  'page of two days': ({ account }) => `accounts/${account}/ledger?limit=200&from=${dayBefore(40)}&to=${dayBefore(38)}`,
  'allowance by month': ({ account }) => `accounts/${account}/allowance`,
  keys: ({ account }) => `accounts/${account}/keys`,
  lists: ({ account }) => `accounts/${account}/lists`,
  'guard of 30 days': ({ account }) => `accounts/${account}/guard?days=30`,
  properties: ({ account }) => `accounts/${account}/properties`,
  'a domain': ({ account }) => `accounts/${account}/domains/example.com`,
  members: ({ account }) => `accounts/${account}/members`,
  'audit log': ({ account }) => `accounts/${account}/audit`,
  'who is signed in': () => 'me',
  sessions: () => 'me/sessions',
  'accounts, to the operator': () => 'admin/accounts',
  'an account, to the operator': ({ account }) => `admin/accounts/${account}`,
  queues: () => 'admin/queues',
  'state of the system': () => 'admin/system',
};

async function main(): Promise<void> {
  const { databaseUrl } = apiUnderTest();
  const [long, short] = [await reader(databaseUrl, LONG), await reader(databaseUrl, SHORT)];
  const console = await startConsole();
  const figures: Figure[] = [];
  for (const [what, path] of Object.entries(READS)) {
    // Each read has users of its own: a user may make 600 requests a minute.
    const tokenOf = ({ account }: Reader): Promise<string> => makeConsoleUser(databaseUrl, account);
    const [longToken, shortToken] = [await tokenOf(long), await tokenOf(short)];
    const times = await inTurns({
      long: () => slowest(console.url, longToken, path(long)),
      short: () => slowest(console.url, shortToken, path(short)),
    });
    figures.push({
      what: `${what}, ${LONG.toLocaleString('en')} ledger rows: p95`,
      unit: 'ms',
      rounds: times.long,
      baseline: { what: `${SHORT} ledger rows`, rounds: times.short },
      atMost: LIMIT_MS,
    });
  }
  await console.stop();
  report(figures);
}

async function reader(databaseUrl: string, rows: number): Promise<Reader> {
  const member = await makeConsoleMember(databaseUrl);
  return { ...member, middle: await fillLedger(databaseUrl, member.account, rows) };
}

/** The 95th percentile of some requests, one after the other, until the answer has arrived. */
async function slowest(url: string, token: string, path: string): Promise<number> {
  const times: number[] = [];
  for (let request = 0; request < REQUESTS; request++) {
    const began = performance.now();
    const answer = await fetch(`${url}/console/api/${path}`, { headers: { cookie: `mailvet=${token}` } });
    await answer.arrayBuffer();
    times.push(performance.now() - began);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(REQUESTS * 0.95)]!;
}

void main();
