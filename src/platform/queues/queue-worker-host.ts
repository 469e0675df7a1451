import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
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
import { describeFaults } from '../validation/describe-faults.js';
import { readObject } from '../validation/read-object.js';
import { LocalLine, type LocalWork } from './local-line.js';
import type { PatientWorker } from './patient-worker.js';
import type { JobOutcome } from './queue-metrics.js';
import type { WatchedQueue } from './queue-watch.js';
import { QUEUE_PREFIX } from './quiet-queue.js';
import type { QueueName } from '../config/queue-names.js';
import { OVER, type JobEnding, type WorkQueue } from './work-queue.js';
import type { WorkerHostServices } from './worker-host-services.js';

export interface WorkerHostOptions {
  /** Jobs at once. */
  readonly concurrency: number;
  /**
   * What a job leaves undone its next run does: it is stopped at once when the process stops, it is not kept in an outage, and it
   * is neither watched nor traced.
   */
  readonly isRecurring?: boolean;
}

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
 * does not end in time. Every processor extends it, as `@Processor(NAME, { autorun: false })`.
 */
export abstract class QueueWorkerHost<P extends object>
  extends WorkerHost<PatientWorker>
  implements WatchedQueue, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  protected readonly logger = new Logger('Queues');
  private readonly stop = new AbortController();
  private readonly running = new Set<Promise<unknown>>();
  private readonly line: LocalLine;
  private isServing = false;
  private stopping: Promise<void> | null = null;
  private lastTrouble = Number.NEGATIVE_INFINITY;
  private begunAndEnded = 0;

  constructor(
    private readonly queue: WorkQueue<P>,
    private readonly services: WorkerHostServices,
    private readonly options: WorkerHostOptions,
  ) {
    super();
    // Every job that runs listens.
    setMaxListeners(0, this.stop.signal);
    this.line = new LocalLine({ places: options.concurrency, run: (work) => this.runHere(work) });
    if (options.isRecurring !== true) services.watch.watch(this);
  }

  /**
   * Does the work of one run. What it throws is logged and counted, and the job is gone: what was to be done stands in MySQL.
   * While MySQL itself is away the job is kept.
   * @param stop aborted when the process cannot wait any longer: end soon, and leave the rest to others
   */
  protected abstract handle(payload: P, stop: AbortSignal): Promise<JobEnding>;

  /** Jobs that run now. */
  get active(): number {
    return this.running.size;
  }

  get steps(): number {
    return this.begunAndEnded;
  }

  get name(): QueueName {
    return this.queue.name;
  }

  get isRefused(): boolean {
    return this.isServing && this.worker.isRefused;
  }

  /** Returns at once: while Redis is down nothing is taken and nothing is lost. */
  onApplicationBootstrap(): void {
    this.isServing = true;
    this.services.connection.servedHere.set(this.name, (work) => this.line.add(work));
    this.worker.concurrency = this.options.concurrency;
    this.worker.run().catch((error: unknown) => this.trouble(error));
  }

  /** The first hook of a shutdown: nothing new is taken from now on. */
  onModuleDestroy(): void {
    this.stopping ??= this.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  override process(job: Job, token?: string): Promise<void> {
    return this.track(this.run(job, token));
  }

  /** What of a job its payload is read from. */
  protected dataOf(job: Job): unknown {
    return job.data;
  }

  protected logFailure(error: unknown, _payload: P): void {
    this.logger.error({ err: error }, 'a job failed');
  }

  /** A server that is down fails once a second: one line a minute says so. */
  @OnWorkerEvent('error')
  protected trouble(error: unknown): void {
    if (performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
    this.lastTrouble = performance.now();
    this.logger.warn({ err: error, queue: this.name }, 'the queue has trouble; it goes on');
  }

  @OnWorkerEvent('stalled')
  protected mendStalled(jobId: string): void {
    this.mend(jobId).catch((error: unknown) => this.trouble(error));
  }

  private async run(job: Job, token: string | undefined): Promise<void> {
    // Redis keeps the id of a job and the job itself apart, and where it may delete keys it deletes one without the other.
    const isLost = (job.name as string | undefined) === undefined;
    await this.runOnce({ id: job.id ?? '', data: isLost ? undefined : this.dataOf(job) }, async (ending) => {
      if (ending.kind === 'over') return;
      await job.moveToDelayed(Date.now() + ending.afterMs, token);
      throw new DelayedError();
    });
  }

  /** A job that Redis did not take. Never rejects. */
  private async runHere({ id, data }: LocalWork): Promise<JobEnding> {
    this.services.connection.onException(this.name, 'run_here', 1);
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
    const { queue, services, options } = this;
    const span = options.isRecurring === true ? undefined : tracing()?.run(queue.name, data);
    let outcome: JobOutcome = 'failed';
    try {
      const work = async (): Promise<void> => {
        if (data === undefined) {
          outcome = 'lost';
          this.trouble(new Error('Redis has deleted what a job was about: it is put on the queue again from MySQL'));
          return;
        }
        const { value: payload, faults } = readObject(queue.payload, data);
        outcome = faults === null ? 'over' : 'poison';
        const ending =
          faults === null ? await this.attempt(payload) : await this.setAside(id, describeFaults(faults, data, 'it'));
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
      services.metrics.ran(queue.name, outcome, (performance.now() - began) / 1000);
    }
  }

  private async attempt(payload: P): Promise<JobEnding> {
    try {
      return await this.handle(payload, this.stop.signal);
    } catch (error) {
      if (this.options.isRecurring === true || !isOutage(error)) {
        this.logFailure(error, payload);
        throw error;
      }
      this.trouble(error);
      return { kind: 'again', afterMs: OUTAGE_MS * (1 + Math.random()) };
    }
  }

  /** The payload itself is not kept: nobody knows what is in it. */
  private async setAside(id: string, why: string): Promise<JobEnding> {
    this.logger.error({ why }, 'a job that cannot be read is set aside');
    try {
      await this.services.failedJobs.insert({
        queue: this.name,
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
    const { redis } = this.services.connection;
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
    if (!this.isServing) return;
    this.line.close();
    if (this.options.isRecurring === true) this.stop.abort();
    const { worker } = this;
    const { graceMs, connection } = this.services;
    const giveUpAfterMs = Math.max(graceMs - GIVE_UP_MS, graceMs / 2);
    // Without Redis a worker waits for it even to close. One that closes still runs what it was just handed.
    const closed = worker.close(!connection.isReady).catch((error: unknown) => this.trouble(error));
    const finished = closed.then(() => Promise.allSettled(this.running));
    if (await settlesWithin(finished, giveUpAfterMs)) return;
    this.logger.warn({ queue: this.name, jobs: this.active }, 'what does not end in time is left to others');
    this.stop.abort();
    if (!(await settlesWithin(finished, (graceMs - giveUpAfterMs) * CLOSE_SHARE))) worker.abandon();
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
