/**
 * A job of 10,000 addresses from submit to `completed`, compared with the same engine at one connection per address.
 */
import { Deadline } from '../src/engine/deadline.js';
import { engineFor } from '../test/engine/engine-under-test.js';
import { report } from './lib/figure.js';
import { CONNECTIONS_AT_ONCE, startJobService } from './lib/job-service.js';
import { startJobLaboratory, type RunningJobLaboratory } from './lib/job-laboratory.js';
import { JobRuns } from './lib/job-runs.js';
import { addressesOf, firstClassOf, JOB_ADDRESSES, JOB_DOMAINS } from './lib/job-world.js';
import { settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';

/** Addresses per domain that are probed one by one to measure a rate. */
const SINGLY = 3;
const PROBE_MS = 60_000;
const ROUNDS = 2;
/** The promised factors: faster, and fewer connections. */
const AT_LEAST = 5;

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const service = await startJobService(laboratory);
  try {
    const runs = await JobRuns.open(service);
    const bench = new Bench(laboratory, runs);
    const took = await inTurns({ job: () => bench.job(), singly: () => bench.singly() }, ROUNDS);
    await runs.close();
    report([
      {
        what: `a job of ${JOB_ADDRESSES} on ${JOB_DOMAINS} domains, ${CONNECTIONS_AT_ONCE} connections at once: addresses`,
        unit: '/s',
        rounds: took.job,
        baseline: { what: 'the engine alone, a connection for each', rounds: took.singly },
        target: { atLeast: AT_LEAST },
      },
    ]);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

class Bench {
  private list = 0;

  constructor(
    private readonly laboratory: RunningJobLaboratory,
    private readonly runs: JobRuns,
  ) {}

  async job(): Promise<number> {
    const before = await this.laboratory.connections();
    const tookMs = await this.runs.run([addressesOf(this.list++)]);
    const connections = (await this.laboratory.connections()) - before;
    if (connections > JOB_ADDRESSES / AT_LEAST) throw new Error(`${connections} connections are too many`);
    return (JOB_ADDRESSES / tookMs) * 1000;
  }

  async singly(): Promise<number> {
    const running = engineFor(this.laboratory);
    const emails = addressesOf(this.list++, { perDomain: SINGLY });
    const perSecond = await settledPerSecond(emails.length, CONNECTIONS_AT_ONCE, async (position) => {
      const email = emails[position]!;
      const deadline = Deadline.after(PROBE_MS);
      const outcome = await running.engine.check(email, { mode: 'standard', deadline });
      deadline.release();
      const found = outcome.kind === 'unavailable' ? outcome.why : outcome.check.facts.probe?.class;
      if (found !== firstClassOf(email)) throw new Error(`${email}: ${found}`);
    });
    running.close();
    return perSecond;
  }
}

void main();
