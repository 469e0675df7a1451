/** One and ten jobs of 10,000 addresses, compared with one job of 1,000: time per address, and memory. */
import { report } from './lib/figure.js';
import { startJobService } from './lib/job-service.js';
import { startJobLaboratory } from './lib/job-laboratory.js';
import { JobRuns } from './lib/job-runs.js';
import { addressesOf, JOB_DOMAINS, type ListTerms } from './lib/job-world.js';
import { peakMb, residentMb } from './lib/memory.js';
import { inTurns } from './lib/rounds.js';

const ROUNDS = 3;
/** Sequential small jobs per round, because a single second is easily disturbed. */
const SMALL_JOBS = 5;
const MANY_JOBS = 10;
const ADDRESSES = { small: 1000, large: 10_000 };
const SMALL = { domains: 'even', count: 50 } as const;
const LARGE = { domains: 'even', count: JOB_DOMAINS } as const;
/** Limit of the time per address, relative to a small job. */
const FLAT = { atLeast: 0.85, atMost: 1.15 };
const WORKER_MB = 300;

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const service = await startJobService(laboratory);
  try {
    const before = residentMb(service.worker);
    const runs = await JobRuns.open(service);
    let list = 0;
    const msEach = async (jobs: number, terms: ListTerms): Promise<number> => {
      const lists = Array.from({ length: jobs }, () => addressesOf(list++, terms));
      return (await runs.run(lists)) / lists.flat().length;
    };
    const smallOnes = async (): Promise<number> => {
      let sum = 0;
      for (let nth = 0; nth < SMALL_JOBS; nth++) sum += await msEach(1, SMALL);
      return sum / SMALL_JOBS;
    };
    const took = await inTurns(
      { small: smallOnes, large: () => msEach(1, LARGE), mixed: () => msEach(1, { ...SMALL, domains: 'mixed' }) },
      ROUNDS,
    );
    const many = await msEach(MANY_JOBS, LARGE);
    const smallAround = [took.small.at(-1)!, await smallOnes()];
    await runs.close();
    const what = `in a job of ${ADDRESSES.small}`;
    report([
      {
        what: `an address in a job of ${ADDRESSES.large}`,
        unit: 'ms',
        rounds: took.large,
        baseline: { what, rounds: took.small },
        target: FLAT,
      },
      {
        what: `an address in ${MANY_JOBS} jobs of ${ADDRESSES.large}`,
        unit: 'ms',
        rounds: smallAround.map(() => many),
        baseline: { what, rounds: smallAround },
        target: FLAT,
      },
      {
        what: `an address in a job of ${ADDRESSES.small} where some hosts greylist or are slow`,
        unit: 'ms',
        rounds: took.mixed,
        baseline: { what, rounds: took.small },
      },
      {
        what: 'memory of the worker, at most',
        unit: 'MB',
        rounds: [peakMb(service.worker)],
        baseline: { what: 'before the first job', rounds: [before] },
        atMost: WORKER_MB,
      },
    ]);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

void main();
