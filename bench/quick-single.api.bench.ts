/** `POST /v1/verify/single` in quick mode over HTTP, beside bare Fastify that answers the same bytes to the same request. */
import { startChild } from './lib/child.js';
import { report, type Figure } from './lib/figure.js';
import { load, type Load } from './lib/http-load.js';
import { percentile } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';

const CONNECTIONS = 32;
const ROUND_MS = 2000;
/** A compiler that still works on the code is not what is measured. */
const WARM_UP_MS = 4000;
const body = JSON.stringify({ email: 'alice@company.example', mode: 'quick' });

async function main(): Promise<void> {
  const url = new URL('/v1/verify/single', required('BENCH_API_URL'));
  const headers = { 'x-api-key': required('BENCH_API_KEY') };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`the API answers ${answer.status}`);
  const bare = await startChild<string>('bare-server', await answer.text());

  const options = { connections: CONNECTIONS, body };
  const ofBare = (ms: number): Promise<Load> => load(new URL(bare.told), { ...options, headers, ms });
  const ofApi = (ms: number): Promise<Load> => load(url, { ...options, headers, ms });
  await ofBare(WARM_UP_MS / 2);
  await ofApi(WARM_UP_MS);
  const loads = await inTurns({ bare: () => ofBare(ROUND_MS), api: () => ofApi(ROUND_MS) });
  await bare.stop();

  const figure = (what: string, unit: Figure['unit'], value: (of: Load) => number): Figure => ({
    what: `quick single over HTTP, ${CONNECTIONS} connections: ${what}`,
    unit,
    rounds: loads.api.map(value),
    baseline: { what: 'bare Fastify', rounds: loads.bare.map(value) },
  });
  report([
    figure('requests', '/s', ({ perSecond }) => perSecond),
    figure('p50', 'ms', ({ tookMs }) => percentile(tookMs, 0.5)),
    figure('p99', 'ms', ({ tookMs }) => percentile(tookMs, 0.99)),
  ]);
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: start this with npm run bench`);
  return value;
}

void main();
