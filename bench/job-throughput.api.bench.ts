/**
 * A job of 10,000 addresses from submit to `completed`: its rate, compared with one connection per address and with what
 * the round trips allow; the processor time of an address, by process; the memory of the worker.
 */
import { Deadline } from '../src/engine/deadline.js';
import { engineFor } from '../test/engine/engine-under-test.js';
import { apiUnderTest } from './lib/api-under-test.js';
import { bareDialogue } from './lib/bare-dialogue.js';
import { ROUND_TRIP_MS } from './lib/bench-world.js';
import { report, type Figure } from './lib/figure.js';
import { CONNECTIONS_AT_ONCE, startJobService } from './lib/job-service.js';
import { startJobLaboratory, type RunningJobLaboratory } from './lib/job-laboratory.js';
import { JobRuns } from './lib/job-runs.js';
import { addressesOf, firstClassOf, JOB_ADDRESSES, JOB_DOMAINS } from './lib/job-world.js';
import { forgetPeak, peakMb } from './lib/memory.js';
import type { OwnService } from './lib/own-service.js';
import { processorTimeOf, type ProcessorTime } from './lib/processor-time.js';
import { settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';

/** Addresses per domain that are probed one by one to measure a rate. */
const SINGLY = 3;
const PROBE_MS = 60_000;
const ROUNDS = 3;
/** Round trips for all addresses of a domain: greeting, EHLO, MAIL with every RCPT. QUIT is not waited for. */
const ROUND_TRIPS = 3;
const PER_DOMAIN = JOB_ADDRESSES / JOB_DOMAINS;
const ALLOWED_PER_SECOND = (CONNECTIONS_AT_ONCE * PER_DOMAIN * 1000) / (ROUND_TRIPS * ROUND_TRIP_MS);
/** A job needs a connection for no more than one in so many addresses. */
const FEWER_CONNECTIONS = 5;
const GOALS = { timesSingly: 10, ofAllowed: 0.5, microseconds: 400, workerMb: 150 };

const PARTS = ['API', 'worker', 'MySQL', 'Redis'] as const;
type Part = (typeof PARTS)[number];

interface JobCost {
  /** Of an address, in microseconds. */
  readonly took: ProcessorTime<Part | 'laboratory'>;
  readonly workerMb: number;
}

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const service = await startJobService(laboratory);
  try {
    const runs = await JobRuns.open(service);
    const bench = new Bench(laboratory, service, runs);
    const took = await inTurns(
      { job: () => bench.job(), singly: () => bench.singly(), bare: () => bench.bare() },
      ROUNDS,
    );
    await runs.close();
    // The first job was the warm-up.
    const costs = bench.costs.slice(1);
    report([...rates(took), ...processorTimes(costs), memory(costs)]);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

class Bench {
  readonly costs: JobCost[] = [];
  private list = 0;

  constructor(
    private readonly laboratory: RunningJobLaboratory,
    private readonly service: OwnService,
    private readonly runs: JobRuns,
  ) {}

  async job(): Promise<number> {
    const { laboratory, service, runs } = this;
    const { mariadb, redis } = apiUnderTest().pids;
    const pids = { API: service.api, worker: service.worker, MySQL: mariadb, Redis: redis, laboratory: laboratory.pid };
    const emails = addressesOf(this.list++);
    const before = await laboratory.connections();
    forgetPeak(service.worker);
    const { value, took } = await processorTimeOf(pids, () => runs.complete([emails]));
    const workerMb = peakMb(service.worker);
    const connections = (await laboratory.connections()) - before;
    if (connections > JOB_ADDRESSES / FEWER_CONNECTIONS) throw new Error(`${connections} connections are too many`);
    await runs.check(value.ids, [emails]);
    this.costs.push({ took: eachOf(took), workerMb });
    return (JOB_ADDRESSES / value.tookMs) * 1000;
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

  /** The same hosts and as many connections at once, over bare sockets. */
  async bare(): Promise<number> {
    const { smtpPort: port, mixedHosts } = this.laboratory;
    const emails = addressesOf(this.list++);
    const domainsPerSecond = await settledPerSecond(JOB_DOMAINS, CONNECTIONS_AT_ONCE, (nth) => {
      const recipients = emails.filter((_, position) => position % JOB_DOMAINS === nth);
      return bareDialogue({ host: mixedHosts[nth]!, port }, recipients);
    });
    return domainsPerSecond * PER_DOMAIN;
  }
}

function eachOf(took: JobCost['took']): JobCost['took'] {
  const each = Object.entries(took).map(([name, time]) => [name, time / JOB_ADDRESSES]);
  return Object.fromEntries(each) as JobCost['took'];
}

function rates({ job, singly, bare }: Readonly<Record<'job' | 'singly' | 'bare', readonly number[]>>): Figure[] {
  const rate = {
    what: `a job of ${JOB_ADDRESSES} on ${JOB_DOMAINS} domains, ${CONNECTIONS_AT_ONCE} connections at once: addresses`,
    unit: '/s',
    rounds: job,
  } as const;
  const allowed = job.map(() => ALLOWED_PER_SECOND);
  return [
    {
      ...rate,
      baseline: { what: 'the engine alone, a connection for each', rounds: singly },
      target: { atLeast: GOALS.timesSingly },
    },
    {
      ...rate,
      baseline: { what: `${ROUND_TRIPS} round trips a domain`, rounds: allowed },
      target: { atLeast: GOALS.ofAllowed },
    },
    { ...rate, baseline: { what: 'bare sockets that take these round trips', rounds: bare } },
  ];
}

function processorTimes(job: readonly JobCost[]): Figure[] {
  const whole = job.map(({ took }) => PARTS.reduce((sum, part) => sum + took[part], 0));
  const ofPart = (part: Part | 'laboratory'): Figure => ({
    what: `of it, the ${part}`,
    unit: 'µs',
    rounds: job.map(({ took }) => took[part]),
    baseline: { what: 'all four', rounds: whole },
  });
  return [
    {
      what: `processor time of an address: ${PARTS.join(', ')}`,
      unit: 'µs',
      rounds: whole,
      baseline: { what: 'the goal', rounds: job.map(() => GOALS.microseconds) },
      target: { atMost: 1 },
    },
    ...PARTS.map(ofPart),
    { ...ofPart('laboratory'), what: 'beside it, the laboratory' },
  ];
}

function memory(job: readonly JobCost[]): Figure {
  return {
    what: 'memory of the worker during the job, at most',
    unit: 'MB',
    rounds: job.map(({ workerMb }) => workerMb),
    baseline: { what: 'the goal', rounds: job.map(() => GOALS.workerMb) },
    target: { atMost: 1 },
  };
}

void main();
