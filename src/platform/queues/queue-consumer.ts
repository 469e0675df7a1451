import {
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { setMaxListeners } from 'node:events';
import { DeadlineMissed, withinDeadline } from '../scheduling/within-deadline.js';
import { isConnectionLost } from '../database/database-errors.js';
import { AppError } from '../errors/app-error.js';
import { isRequestId } from '../http/request-id.js';
import { inLogContext } from '../logging/log-context.js';
import { tracing } from '../tracing/tracing.js';
import type { FailedJobsRepository } from './failed-jobs.repository.js';
import { LocalLine, type LocalWork } from './local-line.js';
import { QUEUE_PREFIX } from './maintenance.queue.js';
import { PatientWorker } from './patient-worker.js';
import type { QueueConnection } from './queue-connection.js';
import type { QueueName } from '../config/queue-names.js';
import { readPayload } from './read-payload.js';
import { KEPT_NOWHERE } from './standing-jobs.js';
import { OVER, type JobEnding, type WorkQueue } from './work-queue.js';

/** How one run of a job ended, for metrics. `lost`: Redis has deleted what it was about. */
export type JobOutcome = 'over' | 'again' | 'failed' | 'poison' | 'lost';

export interface QueueConsumerOptions<P extends object> {
  readonly queue: WorkQueue<P>;
  readonly connection: QueueConnection;
  /** Jobs at once. */
  readonly concurrency: number;
  /** What is held may take so long when the process stops; a little before, `stop` is aborted. */
  readonly graceMs: number;
  readonly failedJobs: Pick<FailedJobsRepository, 'insert'>;
  /**
   * Does the work of one run. What it throws is logged and counted, and the job is gone: what was to be done stands in MySQL.
   * While MySQL itself is away the job is kept.
   * @param stop aborted when the process cannot wait any longer: end soon, and leave the rest to others
   */
  handle(payload: P, stop: AbortSignal): Promise<JobEnding>;
  readonly onRun?: (queue: QueueName, outcome: JobOutcome, seconds: number) => void;
  /** A holder that does not renew is taken for dead after so long. */
  readonly lockMs?: number;
  readonly stalledEveryMs?: number;
}

const LOCK_MS = 15_000;
const STALLED_EVERY_MS = 5000;
/** How often a job was lost is counted in MySQL. */
const MAX_STALLED = 1_000_000;
/** Left of the grace for what has to be given up, and for Redis to be told. */
const GIVE_UP_MS = 2000;
/** Of that: the rest of the process has to stop too. */
const CLOSE_SHARE = 0.75;
const SET_ASIDE_AGAIN_MS = 5000;
/** Until a job is tried again that could not be worked on without the database. */
const OUTAGE_MS = 5000;
const TROUBLE_EVERY_MS = 60_000;

/**
 * Serves a queue: reads each payload by the queue's class, runs it, and says when it is to be run again. A payload that
 * cannot be read is set aside as a failed job and stops nobody. Jobs that this process has for a Redis that takes none (it is
 * full, or may only be read) are run here. When the process stops it takes nothing new, finishes what it holds, and gives up what
 * does not end in time.
 */
export class QueueConsumer<P extends object>
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  private readonly logger = new Logger('Queues');
  private readonly stop = new AbortController();
  private readonly running = new Set<Promise<unknown>>();
  private readonly line: LocalLine;
  private worker: PatientWorker | null = null;
  private stopping: Promise<void> | null = null;
  private lastTrouble = Number.NEGATIVE_INFINITY;
  private begunAndEnded = 0;

  constructor(private readonly options: QueueConsumerOptions<P>) {
    // Every job that runs listens.
    setMaxListeners(0, this.stop.signal);
    this.line = new LocalLine({ places: options.concurrency, run: (work) => this.runHere(work) });
  }

  /** Jobs that run now. */
  get active(): number {
    return this.running.size;
  }

  /** How many runs have begun and ended so far, together: while it grows, something moves. */
  get steps(): number {
    return this.begunAndEnded;
  }

  get name(): QueueName {
    return this.options.queue.name;
  }

  /** Redis answers, and lets nobody take a job. */
  get isRefused(): boolean {
    return this.worker?.isRefused ?? false;
  }

  /** Returns at once: while Redis is down nothing is taken and nothing is lost. */
  onApplicationBootstrap(): void {
    const { queue, connection, concurrency, lockMs = LOCK_MS, stalledEveryMs = STALLED_EVERY_MS } = this.options;
    connection.servedHere.set(queue.name, (work) => this.line.add(work));
    this.worker = new PatientWorker(queue.name, (job, token) => this.track(this.run(job, token)), {
      connection: connection.redis,
      prefix: QUEUE_PREFIX,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: stalledEveryMs,
      maxStalledCount: MAX_STALLED,
      removeOnComplete: KEPT_NOWHERE,
      removeOnFail: KEPT_NOWHERE,
    });
    this.worker.on('error', (error) => this.trouble(error));
    this.worker.on('stalled', (jobId) => {
      this.mend(jobId).catch((error: unknown) => this.trouble(error));
    });
  }

  /** The first hook of a shutdown: nothing new is taken from now on. */
  onModuleDestroy(): void {
    this.stopping ??= this.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  private async run(job: Job, token: string | undefined): Promise<void> {
    // Redis keeps the id of a job and the job itself apart, and where it may delete keys it deletes one without the other.
    const isLost = (job.name as string | undefined) === undefined;
    await this.runOnce({ id: job.id ?? '', data: isLost ? undefined : job.data }, async (ending) => {
      if (ending.kind === 'over') return;
      await job.moveToDelayed(Date.now() + ending.afterMs, token);
      throw new DelayedError();
    });
  }

  /** A job that Redis did not take. Never rejects. */
  private async runHere({ id, data }: LocalWork): Promise<JobEnding> {
    this.options.connection.onException(this.name, 'run_here', 1);
    let ending: JobEnding = OVER;
    const run = this.runOnce({ id, data }, async (came) => {
      ending = came;
    });
    await this.track(run).catch(() => undefined);
    return ending;
  }

  /**
   * @param data undefined: it is lost
   * @param onEnding may throw `DelayedError` when it has put the job back
   */
  private async runOnce(
    { id, data }: { readonly id: string; readonly data: unknown },
    onEnding: (ending: JobEnding) => Promise<void>,
  ): Promise<void> {
    const began = performance.now();
    const { queue, onRun } = this.options;
    const span = tracing()?.run(queue.name, data);
    let outcome: JobOutcome = 'failed';
    try {
      const work = async (): Promise<void> => {
        if (data === undefined) {
          outcome = 'lost';
          this.trouble(new Error('Redis has deleted what a job was about: it is put on the queue again from MySQL'));
          return;
        }
        const read = readPayload(queue.payload, data);
        outcome = read.ok ? 'over' : 'poison';
        const ending = read.ok ? await this.handle(read.payload) : await this.setAside(id, read.fault);
        if (ending.kind === 'again' && outcome === 'over') outcome = 'again';
        await onEnding(ending);
      };
      const context = { queue: queue.name, job: id, ...requestIdIn(data) };
      await inLogContext(context, span === undefined ? work : () => span.within(work));
    } catch (error) {
      if (!(error instanceof DelayedError)) outcome = 'failed';
      throw error;
    } finally {
      span?.end(outcome);
      onRun?.(queue.name, outcome, (performance.now() - began) / 1000);
    }
  }

  private async handle(payload: P): Promise<JobEnding> {
    try {
      return await this.options.handle(payload, this.stop.signal);
    } catch (error) {
      if (!isOutage(error)) {
        this.logger.error({ err: error }, 'a job failed');
        throw error;
      }
      this.trouble(error);
      return { kind: 'again', afterMs: OUTAGE_MS * (1 + Math.random()) };
    }
  }

  /** The payload itself is not kept: nobody knows what is in it. */
  private async setAside(id: string, why: string): Promise<JobEnding> {
    const { queue, failedJobs } = this.options;
    this.logger.error({ why }, 'a job that cannot be read is set aside');
    try {
      await failedJobs.insert({
        queue: queue.name,
        jobId: id,
        why: `its payload cannot be read: ${why}`,
        details: null,
      });
      return OVER;
    } catch (error) {
      this.logger.error({ err: error }, 'and could not be: the database does not take it');
      return { kind: 'again', afterMs: SET_ASIDE_AGAIN_MS };
    }
  }

  /**
   * One that is no JSON never gets as far as `run`: BullMQ cannot take it, and it would keep its id for ever. Emptied it is set
   * aside like any other that cannot be read.
   */
  private async mend(jobId: string): Promise<void> {
    const { redis } = this.options.connection;
    const key = `${QUEUE_PREFIX}:${this.name}:${jobId}`;
    const data = await redis.hget(key, 'data');
    if (data !== null && !isJson(data)) await redis.hset(key, 'data', 'null');
  }

  private track(run: Promise<void>): Promise<void> {
    this.running.add(run);
    this.begunAndEnded++;
    const forget = (): void => {
      this.running.delete(run);
      this.begunAndEnded++;
    };
    run.then(forget, forget);
    return run;
  }

  private async drain(): Promise<void> {
    const { worker } = this;
    if (worker === null) return;
    this.line.close();
    const { graceMs, connection } = this.options;
    const giveUpAfterMs = Math.max(graceMs - GIVE_UP_MS, graceMs / 2);
    // Without Redis a worker waits for it even to close. One that closes still runs what it was just handed.
    const closed = worker.close(!connection.isReady).catch((error: unknown) => this.trouble(error));
    const finished = closed.then(() => Promise.allSettled(this.running));
    if (await settlesWithin(finished, giveUpAfterMs)) return;
    this.logger.warn({ queue: this.name, jobs: this.active }, 'what does not end in time is left to others');
    this.stop.abort();
    await settlesWithin(finished, (graceMs - giveUpAfterMs) * CLOSE_SHARE);
  }

  /** A server that is down fails once a second: one line a minute says so. */
  private trouble(error: unknown): void {
    if (performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
    this.lastTrouble = performance.now();
    this.logger.warn({ err: error, queue: this.name }, 'the queue has trouble; it goes on');
  }
}

/** Whoever can write to Redis writes it: nothing but a log line depends on it. */
function requestIdIn(data: unknown): { readonly requestId?: string } {
  const { requestId } = (data ?? {}) as { readonly requestId?: unknown };
  return isRequestId(requestId) ? { requestId } : {};
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Nothing is wrong with the job. */
function isOutage(error: unknown): boolean {
  return isConnectionLost(error) || (error instanceof AppError && error.code === 'service_unavailable');
}

/** False when it takes longer; then it is nobody's business any more. */
async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  try {
    await withinDeadline(work, ms);
    return true;
  } catch (error) {
    if (error instanceof DeadlineMissed) return false;
    throw error;
  }
}
