/**
 * Mixed load on API and worker for `SOAK_SECONDS` (default 20; use 600 for a real soak): no wrong answer, and no
 * process with more memory or files in the last third than in the second.
 */
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { ROOMY_DOMAIN } from './lib/bench-world.js';
import { report, type Figure } from './lib/figure.js';
import { soak, type Sample } from './lib/soak.js';

const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 20);
/** A short run is still warming up, so only obvious growth fails it. */
const ALLOWED = SECONDS >= 300 ? 1.1 : 1.6;

async function main(): Promise<void> {
  const { url, databaseUrl, pids } = apiUnderTest();
  const [account] = await makeAccounts(databaseUrl, 1);
  const { main: api = 0, worker = 0 } = pids;
  const soaked = await soak({
    url,
    key: account!.key,
    domain: ROOMY_DOMAIN,
    pids: { api, worker },
    seconds: SECONDS,
  });
  if (soaked.errors.length > 0) throw new Error(`wrong answers:\n${soaked.errors.join('\n')}`);
  if (soaked.jobsCompleted === 0) throw new Error('no job was completed');
  console.log(`${soaked.requests} requests, ${soaked.jobsCompleted} jobs`);
  report(Object.entries(soaked.samples).flatMap(([name, samples]) => figures(name, samples)));
}

function figures(name: string, samples: readonly Sample[]): Figure[] {
  const third = Math.floor(samples.length / 3);
  const before = samples.slice(-2 * third, -third);
  const last = samples.slice(-third);
  const figure = (what: string, unit: Figure['unit'], value: (of: Sample) => number): Figure => ({
    what: `${SECONDS} s of everything: ${what} of the ${name}, last third`,
    unit,
    rounds: last.map(value),
    baseline: { what: 'the third before', rounds: before.map(value) },
    target: { atMost: ALLOWED },
  });
  return [figure('memory', 'MB', ({ rssMb }) => rssMb), figure('open files', 'files', ({ files }) => files)];
}

void main();
