/**
 * A job under the limits of mail hosts, beside the same job in the model of `simulator/`; and the processor time of a worker
 * for a connection and for a recipient, which the model counts.
 */
import type { Service } from '../simulator/simulation.js';
import { LABORATORY_LIMITS } from '../src/platform/politeness/limits.js';
import { report } from './lib/figure.js';
import { startJobLaboratory, type RunningJobLaboratory } from './lib/job-laboratory.js';
import { JobRuns } from './lib/job-runs.js';
import { addressesOf, GREYLIST_RETRY_MS, type ListTerms } from './lib/job-world.js';
import { JOBS_ALONE, startOwnService, type OwnService } from './lib/own-service.js';
import { processorTimeOf } from './lib/processor-time.js';
import { inTurns } from './lib/rounds.js';
import { simulateJob } from './lib/simulated-job.js';

const ROUNDS = 3;
const LIMITS = { maxConnections: 2, recipientsPerMinute: 60 };
const CONCURRENCY = 20;
/** Domains of all kinds, twenty addresses on each. */
const LIMITED = { domains: 'mixed', count: 120, perDomain: 20 } satisfies ListTerms;
/** Hosts that are all alike: many connections for one address each, and few for many. */
const ALONE: ListTerms = { domains: 'even', count: 500, perDomain: 1 };
const TOGETHER: ListTerms = { domains: 'even', count: 100, perDomain: 20 };
const NEAR = { atLeast: 0.75, atMost: 1.33 };

interface Spent {
  readonly microseconds: number;
  readonly addresses: number;
  readonly connections: number;
}

/** Microseconds of the worker. */
interface Costs {
  readonly recipient: number;
  readonly connection: number;
}

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  try {
    let list = 0;
    const spent = await within(laboratory, LABORATORY_LIMITS, async (runs, { worker }) => {
      const job = (terms: ListTerms) => (): Promise<Spent> =>
        jobOf(addressesOf(list++, terms), runs, worker, laboratory);
      return inTurns({ alone: job(ALONE), together: job(TOGETHER) }, ROUNDS);
    });
    const costs = spent.alone.map((alone, round) => costsOf(alone, spent.together[round]!));
    const model = modelOf(costs.at(-1)!);
    const limited = await within(laboratory, LIMITS, async (runs) => {
      // Other domains in each round: the model has mail hosts whose limits nothing has used yet.
      let first = -LIMITED.count;
      const job = (): Promise<number> =>
        runs.run([addressesOf(list++, { ...LIMITED, first: (first += LIMITED.count) })]);
      return inTurns({ job, model: () => simulateJob(addressesOf(0, { ...LIMITED, first }), model) }, ROUNDS);
    });
    report([
      {
        what: 'a job of 2,400 under the limits of mail hosts',
        unit: 'ms',
        rounds: limited.job,
        baseline: { what: 'the same in the model', rounds: limited.model },
        target: NEAR,
      },
      {
        what: "the worker's processor time for a connection, with its domain and its DNS",
        unit: 'µs',
        rounds: costs.map(({ connection }) => connection),
        baseline: { what: 'for a recipient', rounds: costs.map(({ recipient }) => recipient) },
      },
    ]);
  } finally {
    await laboratory.stop();
  }
}

async function jobOf(
  emails: readonly string[],
  runs: JobRuns,
  worker: number,
  laboratory: RunningJobLaboratory,
): Promise<Spent> {
  const before = await laboratory.connections();
  const { value, took } = await processorTimeOf({ worker }, () => runs.complete([emails]));
  const connections = (await laboratory.connections()) - before;
  await runs.check(value.ids, [emails]);
  return { microseconds: took.worker, addresses: emails.length, connections };
}

/** Two jobs, two unknowns. */
function costsOf(alone: Spent, together: Spent): Costs {
  const both = alone.addresses * together.connections - together.addresses * alone.connections;
  return {
    recipient: (alone.microseconds * together.connections - together.microseconds * alone.connections) / both,
    connection: (together.microseconds * alone.addresses - alone.microseconds * together.addresses) / both,
  };
}

function modelOf({ recipient, connection }: Costs): Service {
  return {
    workers: 1,
    coresPerWorker: 1,
    concurrency: CONCURRENCY,
    egress: 1,
    limits: LIMITS,
    backOff: { providerStrikes: Number.POSITIVE_INFINITY, firstPauseMs: 1000 },
    deadlineMs: 60_000,
    greylistRetryMs: GREYLIST_RETRY_MS,
    costs: { addressMs: recipient / 1000, connectionMs: connection / 1000 },
    roundTripsToConnect: 1,
  };
}

/** An API and a worker of jobs alone, with these limits for mail hosts. */
async function within<Result>(
  { dnsServer, smtpPort }: RunningJobLaboratory,
  { maxConnections, recipientsPerMinute }: typeof LIMITS,
  measure: (runs: JobRuns, service: OwnService) => Promise<Result>,
): Promise<Result> {
  const service = await startOwnService({
    ...JOBS_ALONE,
    DNS_SERVERS: dnsServer,
    SMTP_PORT: String(smtpPort),
    SMTP_MAX_CONNECTIONS: String(maxConnections),
    SMTP_RECIPIENTS_PER_MINUTE: String(recipientsPerMinute),
    WORKER_CONCURRENCY: String(CONCURRENCY),
    GREYLIST_RETRY_MS: String(GREYLIST_RETRY_MS),
  });
  try {
    const runs = await JobRuns.open(service);
    const result = await measure(runs, service);
    await runs.close();
    return result;
  } finally {
    await service.stop();
  }
}

void main();
