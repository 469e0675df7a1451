/** A job under the usual limits for mail hosts, compared with the shortest time that they allow. */
import { report } from './lib/figure.js';
import { startJobLaboratory } from './lib/job-laboratory.js';
import { JobRuns } from './lib/job-runs.js';
import { startJobService } from './lib/job-service.js';
import { addressesOf } from './lib/job-world.js';

const DOMAINS = 8;
/** Lists of twenty addresses per domain. */
const LISTS = 3;
const PER_DOMAIN = 20 * LISTS;
const PER_MINUTE = 60;
const CONNECTIONS = 2;
/** The limits admit ten seconds' worth of recipients at once. */
const AT_ONCE = PER_MINUTE / 6;
const SHORTEST_MS = ((PER_DOMAIN - AT_ONCE) * 60_000) / PER_MINUTE;
const GOAL = 0.9;

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const limits = { SMTP_RECIPIENTS_PER_MINUTE: String(PER_MINUTE), SMTP_MAX_CONNECTIONS: String(CONNECTIONS) };
  const service = await startJobService(laboratory, limits);
  try {
    const runs = await JobRuns.open(service);
    const lists = Array.from({ length: LISTS }, (_, list) => addressesOf(list, { domains: 'even', count: DOMAINS }));
    const tookMs = await runs.run([lists.flat()]);
    await runs.close();
    report([
      {
        what: `a job of ${DOMAINS * PER_DOMAIN} on ${DOMAINS} domains, ${PER_MINUTE} recipients a minute and ${CONNECTIONS} connections each: addresses`,
        unit: '/s',
        rounds: [perSecond(tookMs)],
        baseline: { what: 'what these limits allow', rounds: [perSecond(SHORTEST_MS)] },
        target: { atLeast: GOAL },
      },
    ]);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

function perSecond(tookMs: number): number {
  return (DOMAINS * PER_DOMAIN * 1000) / tookMs;
}

void main();
