/** Jobs of 10,000 addresses, one and ten of them, beside one of 1,000: time for each address, and memory. */
import { report, type Figure } from './lib/figure.js';
import { startJobService } from './lib/job-service.js';
import { startJobLaboratory } from './lib/job-laboratory.js';
import { JobRuns } from './lib/job-runs.js';
import { addressesOf, JOB_DOMAINS } from './lib/job-world.js';
import { peakMb, residentMb } from './lib/memory.js';
import { inTurns } from './lib/rounds.js';

const ROUNDS = 2;
/** Ten jobs of 10,000 take minutes: only where they are asked for. */
const MANY_JOBS = process.env['BENCH_JOBS_100K'] === '1' ? 10 : 0;
const SMALL_DOMAINS = 50;
const ADDRESSES = { small: 1000, large: 10_000 };
/** What an address may take beside one of a small job. */
const FLAT = 1.15;
const WORKER_MB = 300;

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const service = await startJobService(laboratory);
  try {
    const before = residentMb(service.worker);
    const runs = await JobRuns.open(service);
    let list = 0;
    const msEach = async (jobs: number, domains: number): Promise<number> => {
      const lists = Array.from({ length: jobs }, () => addressesOf(list++, domains));
      return (await runs.run(lists)) / lists.flat().length;
    };
    const took = await inTurns({ small: () => msEach(1, SMALL_DOMAINS), large: () => msEach(1, JOB_DOMAINS) }, ROUNDS);
    const many = MANY_JOBS > 0 ? await msEach(MANY_JOBS, JOB_DOMAINS) : null;
    await runs.close();
    const small = { what: `in a job of ${ADDRESSES.small}`, rounds: took.small };
    const figures: Figure[] = [
      {
        what: `an address in a job of ${ADDRESSES.large}`,
        unit: 'ms',
        rounds: took.large,
        baseline: small,
        target: { atMost: FLAT },
      },
      {
        what: 'memory of the worker, at most',
        unit: 'MB',
        rounds: [peakMb(service.worker)],
        baseline: { what: 'before the first job', rounds: [before] },
        atMost: WORKER_MB,
      },
    ];
    if (many !== null) {
      figures.push({
        what: `an address in ${MANY_JOBS} jobs of ${ADDRESSES.large}`,
        unit: 'ms',
        rounds: took.small.map(() => many),
        baseline: small,
        target: { atMost: FLAT },
      });
    }
    report(figures);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

void main();
