/**
 * Free calls: `single` with a live key in quick mode and with a sandbox key, compared with bare Fastify with one Redis
 * script.
 */
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { report, type Figure } from './lib/figure.js';
import { bareServer, contest, productServer, type Run } from './lib/http-contest.js';

const CONNECTIONS = 64;
const TARGET = { atLeast: 0.6 };

async function main(): Promise<void> {
  const { url, databaseUrl } = apiUnderTest();
  const accounts = await makeAccounts(databaseUrl, 1);
  const [sandbox] = await makeAccounts(databaseUrl, 1, 'test');
  const request = (key: string, body: object) => ({ headers: { 'x-api-key': key }, body: JSON.stringify(body) });
  const quick = request(accounts[0]!.key, { email: 'alice@company.example', mode: 'quick' });
  const trial = request(sandbox!.key, { email: 'alice@company.example' });
  const answers = await Promise.all([quick, trial].map((each) => answerTo(new URL('/v1/verify/single', url), each)));

  const bare = await Promise.all(answers.map((answer) => bareServer('script-server', { accounts, answer })));
  const product = productServer('/v1/verify/single');
  const runs = await contest({
    quickBare: { server: bare[0]!.server, connections: CONNECTIONS, requests: [quick] },
    quick: { server: product, connections: CONNECTIONS, requests: [quick] },
    trialBare: { server: bare[1]!.server, connections: CONNECTIONS, requests: [trial] },
    trial: { server: product, connections: CONNECTIONS, requests: [trial] },
  });
  await Promise.all(bare.map((each) => each.stop()));
  report([
    ...figures('quick single', runs.quick, runs.quickBare),
    ...figures('sandbox single', runs.trial, runs.trialBare),
  ]);
}

function figures(what: string, own: readonly Run[], bare: readonly Run[]): Figure[] {
  const figure = (of: string, unit: Figure['unit'], value: (run: Run) => number): Figure => ({
    what: `${what}, ${CONNECTIONS} connections: ${of}`,
    unit,
    rounds: own.map(value),
    baseline: { what: 'bare Fastify with one Redis script', rounds: bare.map(value) },
  });
  return [
    { ...figure('requests', '/s', ({ perSecond }) => perSecond), target: TARGET },
    figure('processor time', 'µs', ({ cpuMicros }) => cpuMicros),
    figure('p99', 'ms', ({ p99 }) => p99),
  ];
}

async function answerTo(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (response.status !== 200) throw new Error(`the API answers ${response.status}`);
  return response.text();
}

void main();
