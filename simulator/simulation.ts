import { chunksAtOnce } from '../src/jobs/chunks/chunks-at-once.js';
import { ListsOfJobs } from '../src/jobs/chunks/lists-of-jobs.js';
import { BACKED_OFF_MS, nextTurn, type RunResult } from '../src/jobs/chunks/next-turn.js';
import { retryChunks } from '../src/jobs/chunks/retry-chunks.js';
import { PERMITS_OF_WAVE, WavePermits } from '../src/jobs/chunks/wave-permits.js';
import { EACH_MS } from '../src/verify/bulk/ask-mail-hosts.js';
import { limitsOf, type Limits } from '../src/platform/politeness/limits.js';
import type { BackOffOptions } from '../src/platform/politeness/refusals.js';
import { greylistDelayMs } from '../src/verify/probes/probe-transition.js';
import { Clock, type Process } from './clock.js';
import { Job, type Chunk } from './job.js';
import { Lane } from './lane.js';
import { Places } from './places.js';
import { ProbeRun } from './probe-run.js';
import { Processor } from './processor.js';
import { seededRandom } from '../src/platform/collections/seeded-random.js';
import type { Recipient, SimulatedDomain, SimulatedHost } from './world.js';

/** A service and how it is set. */
export interface Service {
  readonly workers: number;
  /** Share of a core that each worker has. */
  readonly coresPerWorker: number;
  /** `WORKER_CONCURRENCY`. */
  readonly concurrency: number;
  /** Ways out, which every worker has. */
  readonly egress: number;
  /** For hosts outside the provider table. */
  readonly limits: Limits;
  readonly backOff: BackOffOptions;
  /** `PROBE_DEADLINE_MS`. */
  readonly deadlineMs: number;
  readonly greylistRetryMs: number;
  /** Processor time of a worker. */
  readonly costs: { readonly addressMs: number; readonly connectionMs: number };
  /** Round trips before the first command to a mail host. */
  readonly roundTripsToConnect: number;
}

/** What happened so far. */
export interface Counts {
  nowMs: number;
  jobs: number;
  addresses: number;
  connections: number;
  recipients: number;
  /** Processor time of all workers. */
  processorMs: number;
  /** Time of all places in which chunks probe. */
  placesMs: number;
  /** Runs of chunks, and those that left addresses for later because limits were used up. */
  runs: number;
  busyRuns: number;
  /** Addresses that were deferred and tried again. */
  retried: number;
  /** Recipients granted by group of mail hosts. */
  granted: Map<string, number>;
}

export interface Observer {
  /** The last address of a job has its outcome. */
  readonly onJobDone?: (job: Job, last: Chunk) => void;
  readonly onAsked?: (host: SimulatedHost, what: 'connections' | 'recipients', count: number) => void;
}

interface Worker {
  readonly processor: Processor;
  readonly places: Places;
  readonly lists: ListsOfJobs<Job>;
  running: number;
  turn: number;
}

/** A service that works on jobs, event by event, under the rules and limits of the product. */
export class Simulation {
  readonly clock = new Clock();
  private readonly random = seededRandom(1);
  private readonly workers: readonly Worker[];
  private readonly lanes = new Map<string, (Lane | undefined)[]>();
  /** Chunks that are due, by priority. */
  private readonly due: Chunk[][] = [];
  private readonly counts = { jobs: 0, addresses: 0, connections: 0, recipients: 0, runs: 0, busyRuns: 0, retried: 0 };

  constructor(
    private readonly service: Service,
    private readonly observer: Observer = {},
  ) {
    const { workers, coresPerWorker, concurrency } = service;
    this.workers = Array.from({ length: workers }, () => ({
      processor: new Processor(this.clock, coresPerWorker),
      places: new Places(this.clock, concurrency * PERMITS_OF_WAVE),
      lists: new ListsOfJobs(),
      running: 0,
      turn: 0,
    }));
  }

  submit(recipients: readonly Recipient[]): void {
    const job = new Job(recipients, this.clock.nowMs);
    for (const chunk of job.plan(this.service.concurrency)) this.queue(chunk, 0);
  }

  /** A copy of what was counted until now. */
  get counted(): Counts {
    const granted = new Map<string, number>();
    for (const [group, lanes] of this.lanes)
      granted.set(
        group,
        lanes.reduce((sum, lane) => sum + (lane?.granted ?? 0), 0),
      );
    return {
      ...this.counts,
      nowMs: this.clock.nowMs,
      processorMs: this.workers.reduce((sum, { processor }) => sum + processor.busyMs, 0),
      placesMs: this.workers.reduce((sum, { places }) => sum + places.usedMs, 0) / PERMITS_OF_WAVE,
      granted,
    };
  }

  private queue(chunk: Chunk, afterMs: number): void {
    this.clock.after(afterMs, () => {
      (this.due[chunk.priority] ??= []).push(chunk);
      this.serve();
    });
  }

  /** Gives chunks that are due to workers, the least busy first. */
  private serve(): void {
    const most = chunksAtOnce(this.service.concurrency);
    for (;;) {
      const worker = this.workers.reduce((one, other) => (other.running < one.running ? other : one));
      if (worker.running >= most) return;
      const chunk = this.due.find((line) => line !== undefined && line.length > 0)?.shift();
      if (chunk === undefined) return;
      worker.running += 1;
      this.clock.start(this.runChunk(worker, chunk));
    }
  }

  private *runChunk(worker: Worker, chunk: Chunk): Process {
    const { greylisted, backedOff, busy, freeInMs, failed, settled } = yield* this.probe(worker, chunk);
    this.counts.runs += 1;
    if (busy.length > 0) this.counts.busyRuns += 1;
    const egress = chunk.egress ?? worker.turn;
    const again = chunk.kind === 'first' && this.service.greylistRetryMs > 0 ? greylisted : [];
    this.retry(chunk, again, egress);
    this.counts.addresses += settled - again.length;
    const stays = backedOff.length === chunk.recipients.length;
    if (!stays && backedOff.length > 0) this.moveLater(chunk, backedOff);
    chunk.recipients = [...busy, ...failed, ...(stays ? backedOff : [])];
    this.conclude(chunk, {
      settled,
      busy: busy.length,
      freeInMs,
      backedOff: stays ? backedOff.length : 0,
      failed: failed.length,
    });
    worker.running -= 1;
    this.serve();
  }

  private *probe(worker: Worker, chunk: Chunk) {
    const { service, clock, counts } = this;
    const { deadlineMs, costs, roundTripsToConnect, egress } = service;
    worker.turn = chunk.egress ?? (worker.turn + 1) % egress;
    const from = worker.turn;
    const recipientsOf = new Map<SimulatedDomain, number>();
    for (const { domain } of chunk.recipients) recipientsOf.set(domain, (recipientsOf.get(domain) ?? 0) + 1);
    const domains = [...recipientsOf.keys()];
    const permits = new WavePermits([...recipientsOf.values()], worker.places);
    yield (resume: () => void) => permits.begin(resume);
    const run = new ProbeRun(
      {
        clock,
        onEnd: (domain) => permits.settle(domains.indexOf(domain)),
        allowed: permits,
        laneOf: (host) => this.laneOf(host, from),
        list: worker.lists.begin(chunk.job),
        untilMs: clock.nowMs + deadlineMs + EACH_MS * chunk.recipients.length,
        roundTripsToConnect,
        work: (recipients, connections) =>
          worker.processor.work(recipients * costs.addressMs + connections * costs.connectionMs),
        count: (host, what, by) => {
          counts[what] += by;
          this.observer.onAsked?.(host, what, by);
        },
      },
      chunk.recipients,
    );
    const end = yield* run.run();
    permits.end();
    worker.lists.end(chunk.job);
    return end;
  }

  private retry(chunk: Chunk, greylisted: readonly Recipient[], egress: number): void {
    const retries = greylisted.map((recipient, index) => ({
      target: { positions: [index] },
      afterMs: greylistDelayMs(
        recipient.domain.host.behaviour.greylists?.namedSeconds ?? null,
        this.service.greylistRetryMs,
      ),
      egress: String(egress),
    }));
    for (const { delayMs, positions } of retryChunks(retries)) {
      const recipients = positions.map((index) => greylisted[index]!);
      this.counts.retried += recipients.length;
      const { priority } = chunk;
      this.queue(chunk.job.chunk({ kind: 'retry', group: null, egress, recipients, priority }), delayMs);
    }
  }

  private moveLater(chunk: Chunk, recipients: readonly Recipient[]): void {
    const { kind, egress, priority } = chunk;
    this.queue(chunk.job.chunk({ kind, group: null, egress, recipients, priority }), BACKED_OFF_MS);
  }

  private conclude(chunk: Chunk, result: Omit<RunResult, 'left' | 'stopped'>): void {
    const { job, recipients } = chunk;
    const next = nextTurn({ ...result, left: recipients.length, stopped: false }, chunk.failures, this.random());
    if (next.kind === 'again') {
      chunk.failures = next.failures;
      this.queue(chunk, next.afterMs);
      return;
    }
    this.counts.addresses += recipients.length;
    const released = job.done(chunk);
    if (released !== null) this.queue(released, 0);
    if (job.open > 0) return;
    this.counts.jobs += 1;
    this.observer.onJobDone?.(job, chunk);
  }

  private laneOf({ group, provider }: SimulatedHost, egress: number): Lane {
    const lanes = this.lanes.get(group) ?? [];
    this.lanes.set(group, lanes);
    return (lanes[egress] ??= new Lane(this.clock, limitsOf(provider, this.service.limits), this.service.backOff));
  }
}
