import measured from '../bench/measured.json';
import { MAX_ENTRIES } from '../src/jobs/job.js';
import { OPEN_OF_GROUP } from '../src/verify/bulk/plan-chunks.js';
import type { Internet } from './internet.js';
import { JobLists } from './job-list.js';
import type { Chunk } from './job.js';
import { bottleneckOf, limitsUsed, providerUse, type LimitUse } from './limits-used.js';
import type { ProductSettings } from './product-settings.js';
import { Simulation, type Counts, type Service } from './simulation.js';

export interface Question {
  readonly addresses: number;
  /** In how many days they should be done. */
  readonly days: number;
  readonly egress: number;
  /** null: as many as have work. */
  readonly workers: number | null;
  readonly concurrency: number;
  readonly jobsAtOnce: number;
  /** Share of addresses that need a probe. */
  readonly probed: number;
}

export interface Projection {
  readonly seconds: number;
  readonly probed: number;
  readonly connections: number;
  readonly recipients: number;
  readonly addressesPerSecond: number;
  /** Processors that workers keep busy, on average. */
  readonly cores: number;
  /** Places in which chunks probe, on average. */
  readonly places: number;
  /** Workers that have so many processors and places. */
  readonly workers: number;
  readonly bottleneck: string;
  readonly uses: readonly LimitUse[];
  /** Ways out and workers for the days that were asked for, if nothing else is in short supply. */
  readonly egressForDays: number;
  readonly workersForDays: number;
  /** How many times smaller the system is that was simulated. */
  readonly scale: number;
  /** Every job was simulated; else a steady state. */
  readonly isWhole: boolean;
}

/** Jobs that are simulated one and all; more are projected from a steady state. */
const MOST_JOBS = 10;
/** Ways out and places of a system that stands for a larger one: ways out do not know of each other. */
const EGRESS_SIMULATED = 2;
const PLACES_SIMULATED = 4;
/** More jobs at once than this for a place only wait. */
const MOST_JOBS_OF_PLACE = OPEN_OF_GROUP;
/** Rounds of all jobs at once: until the state is steady, and those that are measured. */
const WARM_UP_ROUNDS = 2;
const MEASURED_ROUNDS = 6;
const HANDSHAKE_AND_GREETING = 2;
const DAY_S = 86_400;
/** No limit holds before its burst is used. */
const BURST_MS = 10_000;

/** What it takes to verify many addresses in jobs of the largest size. */
export function project(asked: Question, internet: Internet, settings: ProductSettings): Projection {
  const jobs = Math.ceil(asked.addresses / MAX_ENTRIES);
  const question = { ...asked, jobsAtOnce: Math.min(asked.jobsAtOnce, jobs) };
  const run =
    jobs <= MOST_JOBS ? wholeRun(question, jobs, internet, settings) : steadyRun(question, internet, settings);
  return { ...figuresOf(question, run), isWhole: jobs <= MOST_JOBS };
}

interface Run {
  readonly before: Counts | null;
  readonly counts: Counts;
  readonly uses: readonly LimitUse[];
  readonly bottleneck: string;
  readonly scale: number;
}

function wholeRun(question: Question, jobs: number, internet: Internet, settings: ProductSettings): Run {
  const service = serviceOf(question, settings, 1);
  const lists = new JobLists(internet);
  let made = 0;
  let last: Chunk | null = null;
  const submit = (): void => {
    if (made === jobs) return;
    const upTo = (job: number): number => Math.round((question.addresses * question.probed * job) / jobs);
    const size = upTo(made + 1) - upTo(made);
    made += 1;
    simulation.submit(lists.next(size));
  };
  const simulation = new Simulation(service, {
    onJobDone: (_, chunk) => {
      last = chunk;
      submit();
    },
  });
  for (let i = 0; i < question.jobsAtOnce; i += 1) submit();
  simulation.clock.run();
  const counts = simulation.counted;
  const uses = limitsUsed(null, counts, service, internet);
  return { before: null, counts, uses, bottleneck: inShort(last, counts.nowMs) ?? bottleneckOf(uses), scale: 1 };
}

/** What a run waited for that ended before a limit mattered, or after it. */
function inShort(last: Chunk | null, ms: number): string | null {
  if (last?.kind === 'retry') return 'greylisting, for the last addresses wait for their second try';
  return ms < BURST_MS ? 'round trips to mail hosts' : null;
}

function steadyRun(question: Question, internet: Internet, settings: ProductSettings): Run {
  const scale = scaleOf(question);
  const service = serviceOf(question, settings, scale);
  const places = service.workers * service.concurrency;
  const atOnce = Math.max(1, Math.min(Math.round(question.jobsAtOnce / scale), MOST_JOBS_OF_PLACE * places));
  const size = Math.round(MAX_ENTRIES * question.probed);
  const runs = steadyRuns.get(internet) ?? new Map<string, SteadyRun>();
  steadyRuns.set(internet, runs);
  const alike = JSON.stringify([service, atOnce, size]);
  const run = runs.get(alike) ?? simulateSteadily(service, internet, { atOnce, size });
  runs.set(alike, run);
  return { ...run, scale };
}

type SteadyRun = Omit<Run, 'scale'>;

/** Large systems are alike once they are made smaller: each is simulated once. */
const steadyRuns = new WeakMap<Internet, Map<string, SteadyRun>>();

function simulateSteadily(
  service: Service,
  internet: Internet,
  { atOnce, size }: { readonly atOnce: number; readonly size: number },
): SteadyRun {
  const lists = new JobLists(internet);
  let before: Counts | null = null;
  let done = 0;
  const simulation = new Simulation(service, {
    onJobDone: () => {
      done += 1;
      if (done === WARM_UP_ROUNDS * atOnce) before = simulation.counted;
      simulation.submit(lists.next(size));
    },
  });
  for (let i = 0; i < atOnce; i += 1) simulation.submit(lists.next(size));
  simulation.clock.run(() => done >= (WARM_UP_ROUNDS + MEASURED_ROUNDS) * atOnce);
  const counts = simulation.counted;
  const uses = limitsUsed(before, counts, service, internet);
  return { before, counts, uses, bottleneck: bottleneckOf(uses) };
}

/** How many times smaller the simulated system can be and still have some of everything. */
function scaleOf({ egress, workers, concurrency, jobsAtOnce }: Question): number {
  const places = workers === null ? Number.POSITIVE_INFINITY : workers * concurrency;
  const most = Math.max(1, Math.min(egress / EGRESS_SIMULATED, places / PLACES_SIMULATED, jobsAtOnce));
  return egress / Math.ceil(egress / most);
}

/** The service, or one that many times smaller: its ways out, workers and jobs are fewer, all else is the same. */
function serviceOf(question: Question, settings: ProductSettings, scale: number): Service {
  const egress = Math.round(question.egress / scale);
  const workers = question.workers === null ? egress : question.workers / scale;
  const whole = Math.max(1, Math.ceil(workers));
  return {
    ...settings,
    egress,
    workers: whole,
    coresPerWorker: workers / whole,
    concurrency: Math.max(1, Math.round((question.concurrency * workers) / whole)),
    costs: { addressMs: measured.recipientMs.value, connectionMs: measured.connectionMs.value },
    roundTripsToConnect: HANDSHAKE_AND_GREETING,
  };
}

function figuresOf(question: Question, { before, counts, uses, bottleneck, scale }: Run): Omit<Projection, 'isWhole'> {
  const since = (what: Exclude<keyof Counts, 'granted'>): number => counts[what] - (before?.[what] ?? 0);
  const probed = Math.round(question.addresses * question.probed);
  const each = probed / since('addresses');
  const seconds = ((since('nowMs') / 1000) * each) / scale;
  const cores = (since('processorMs') / since('nowMs')) * scale;
  const places = (since('placesMs') / since('nowMs')) * scale;
  const workers = Math.max(cores, places / question.concurrency);
  const faster = seconds / (question.days * DAY_S);
  return {
    seconds,
    probed,
    connections: Math.round(since('connections') * each),
    recipients: Math.round(since('recipients') * each),
    addressesPerSecond: probed / seconds,
    cores,
    places,
    workers: Math.max(1, Math.ceil(workers)),
    bottleneck,
    uses,
    egressForDays: Math.max(1, Math.ceil(question.egress * faster * providerUse(uses))),
    workersForDays: Math.max(1, Math.ceil(workers * faster)),
    scale,
  };
}
