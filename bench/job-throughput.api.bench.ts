/** A job of 10,000 addresses from its 202 to `completed`, beside the same engine at one connection for each address. */
import { Deadline } from '../src/engine/deadline.js';
import { engineFor } from '../test/engine/engine-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { report } from './lib/figure.js';
import { startJobLaboratory, type RunningJobLaboratory } from './lib/job-laboratory.js';
import { checkJob, jobCompleted, submitJob } from './lib/job-runs.js';
import { addressesOf, firstClassOf, GREYLIST_RETRY_MS, JOB_ADDRESSES } from './lib/job-world.js';
import { startOwnService, type OwnService } from './lib/own-service.js';
import { settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';

/** Chunks of three domains at once, a connection for each domain. */
const CHUNKS_AT_ONCE = 10;
const CONNECTIONS_AT_ONCE = 30;
/** For the rate of single probes a part of the list is enough: it has addresses of every domain. */
const SINGLY = 2000;
const PROBE_MS = 60_000;
const ROUNDS = 2;
/** What is promised: so many times faster, over so many times fewer connections. */
const AT_LEAST = 5;

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const service = await startOwnService({
    DNS_SERVERS: laboratory.dnsServer,
    SMTP_PORT: String(laboratory.smtpPort),
    WORKER_CONCURRENCY: String(CHUNKS_AT_ONCE),
    GREYLIST_RETRY_MS: String(GREYLIST_RETRY_MS),
  });
  try {
    const bench = new Bench(laboratory, service);
    const took = await inTurns({ job: () => bench.job(), singly: () => bench.singly() }, ROUNDS);
    const connections = Math.max(...took.job.map((measured) => measured.connections));
    if (connections > JOB_ADDRESSES / AT_LEAST) throw new Error(`${connections} connections are too many`);
    report([
      {
        what: `a job of ${JOB_ADDRESSES} on 500 domains, ${CONNECTIONS_AT_ONCE} connections at once: addresses`,
        unit: '/s',
        rounds: took.job.map(({ perSecond }) => perSecond),
        baseline: {
          what: 'the engine alone, a connection for each',
          rounds: took.singly.map(({ perSecond }) => perSecond),
        },
        target: { atLeast: AT_LEAST },
      },
    ]);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

interface Measured {
  readonly perSecond: number;
  readonly connections: number;
}

class Bench {
  private list = 0;

  constructor(
    private readonly laboratory: RunningJobLaboratory,
    private readonly service: OwnService,
  ) {}

  async job(): Promise<Measured> {
    const { service } = this;
    const emails = addressesOf(this.list++);
    const [account] = await makeAccounts(service.databaseUrl, 1);
    await this.laboratory.count();
    const id = await submitJob(service, account!.key, emails);
    const began = performance.now();
    await jobCompleted(service, account!.key, id);
    const perSecond = (emails.length / (performance.now() - began)) * 1000;
    const connections = await this.connections();
    await checkJob(service, account!.key, id, emails);
    return { perSecond, connections };
  }

  async singly(): Promise<Measured> {
    const { engine, close } = engineFor(this.laboratory);
    const emails = addressesOf(this.list++, SINGLY);
    await this.laboratory.count();
    const perSecond = await settledPerSecond(SINGLY, CONNECTIONS_AT_ONCE, async (position) => {
      const deadline = Deadline.after(PROBE_MS);
      const outcome = await engine.check(emails[position]!, { mode: 'standard', deadline });
      deadline.release();
      const found = outcome.kind === 'unavailable' ? outcome.why : outcome.check.facts.probe?.class;
      if (found !== firstClassOf(position)) throw new Error(`${emails[position]}: ${found}`);
    });
    close();
    return { perSecond, connections: await this.connections() };
  }

  private async connections(): Promise<number> {
    const { opened, atOnce } = await this.laboratory.count();
    console.error(`${opened} connections, ${atOnce} at once`);
    if (atOnce > CONNECTIONS_AT_ONCE) throw new Error(`${atOnce} connections were open at once`);
    return opened;
  }
}

void main();
