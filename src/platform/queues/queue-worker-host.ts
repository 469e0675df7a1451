import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import {
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { DelayedError, type Job, type Queue } from 'bullmq';
import { setMaxListeners } from 'node:events';
import { LogThrottle } from '../scheduling/log-throttle.js';
import { settlesWithin } from '../scheduling/within-deadline.js';
import { isConnectionLost } from '../database/database-errors.js';
import { AppError } from '../errors/app-error.js';
import { isRequestId } from '../http/request-id.js';
import { inLogContext } from '../logging/log-context.js';
import { tracing } from '../tracing/tracing.js';
import { describeFaults } from '../validation/describe-faults.js';
import { readObject } from '../validation/read-object.js';
import { InProcessQueue, type InProcessJob } from './in-process-queue.js';
import { BackoffWorker } from './backoff-worker.js';
import type { JobOutcome } from './queue-metrics.js';
import type { WatchedQueue } from './queue-watch.js';
import type { QueueName } from '../config/queue-names.js';
import { RunningJobs } from './running-jobs.js';
import { OVER, type JobEnding, type WorkQueue } from './work-queue.js';
import type { WorkerHostServices } from './worker-host-services.js';

export interface WorkerHostOptions {
  /** Concurrent jobs. */
  readonly concurrency: number;
  /**
   * The next run does what this one leaves undone: the job is stopped at once at shutdown, not kept in an outage, and
   * neither watched nor traced.
   */
  readonly isRecurring?: boolean;
}

/** Part of the grace reserved for giving up jobs and telling Redis. */
const GIVE_UP_MS = 2000;
/** Share of that for closing the worker: the rest of the process must stop too. */
const CLOSE_SHARE = 0.75;
const SET_ASIDE_AGAIN_MS = 5000;
/** Delay before a job is retried that could not run without the database. */
const OUTAGE_MS = 5000;

/**
 * Serves a queue: validates each payload with the queue's class, runs the job, and schedules its next run. An
 * unreadable payload becomes a failed job and blocks no others. Runs jobs here that this process could not add to Redis
 * because it is full or read-only. At shutdown it takes no new jobs, finishes running ones, and gives up those that do
 * not end in time. Every processor extends it, as `@Processor(NAME, { autorun: false })`.
 */
export abstract class QueueWorkerHost<P extends object>
  extends WorkerHost<BackoffWorker>
  implements WatchedQueue, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown
{
  protected readonly logger = new Logger('Queues');
  private readonly stop = new AbortController();
  private readonly running = new RunningJobs();
  private readonly localQueue: InProcessQueue;
  private isServing = false;
  private stopping: Promise<void> | null = null;
  private readonly warnings = new LogThrottle();
  /** Workers of the further parts of the queue. */
  private furtherWorkers: readonly BackoffWorker[] = [];

  constructor(
    private readonly queue: WorkQueue<P>,
    private readonly services: WorkerHostServices,
    private readonly options: WorkerHostOptions,
  ) {
    super();
    // Every running job adds a listener.
    setMaxListeners(0, this.stop.signal);
    this.localQueue = new InProcessQueue({ concurrency: options.concurrency, run: (work) => this.runHere(work) });
    if (options.isRecurring !== true) services.watch.watch(this);
  }

  /**
   * Runs the job once. An error is logged and counted and the job is removed: MySQL records the work. While MySQL is
   * down the job is kept.
   * @param stop aborted when the process cannot wait any longer: end soon and leave the rest to other processes
   */
  protected abstract handle(payload: P, stop: AbortSignal): Promise<JobEnding>;

  get active(): number {
    return this.running.count;
  }

  get steps(): number {
    return this.running.steps;
  }

  get name(): QueueName {
    return this.queue.name;
  }

  get isRefused(): boolean {
    return this.isServing && this.workers.some((worker) => worker.isRefused);
  }

  /** Returns at once: while Redis is down no job is taken and none is lost. */
  onApplicationBootstrap(): void {
    this.isServing = true;
    this.services.connection.servedHere.set(this.name, (work) => this.localQueue.add(work));
    this.furtherWorkers = this.services.connection.furtherParts(this.name).map((part) => this.workerOf(part));
    for (const worker of this.workers) {
      worker.concurrency = Math.ceil(this.options.concurrency / this.workers.length);
      worker.run().catch((error: unknown) => this.trouble(error));
    }
  }

  /** The first hook of a shutdown: takes no new jobs from now on. */
  onModuleDestroy(): void {
    this.stopping ??= this.drain();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.stopping;
  }

  override process(job: Job, token?: string): Promise<void> {
    return this.running.track(this.run(job, token));
  }

  /** The part of a job that holds its payload. */
  protected dataOf(job: Job): unknown {
    return job.data;
  }

  protected logFailure(error: unknown, _payload: P): void {
    this.logger.error({ err: error }, 'a job failed');
  }

  /** A server that is down fails once a second: log one line a minute. */
  @OnWorkerEvent('error')
  protected trouble(error: unknown): void {
    if (this.warnings.passes())
      this.logger.warn({ err: error, queue: this.name }, 'the queue has an error; it continues');
  }

  @OnWorkerEvent('stalled')
  protected mendStalled(jobId: string): void {
    this.mend(this.worker, jobId).catch((error: unknown) => this.trouble(error));
  }

  private get workers(): readonly BackoffWorker[] {
    return [this.worker, ...this.furtherWorkers];
  }

  /** Made as `BullModule` makes the one of the first part. */
  private workerOf({ name, opts: { prefix } }: Queue): BackoffWorker {
    const { redis: connection } = this.services.connection;
    const options = { connection, autorun: false, ...(prefix !== undefined && { prefix }) };
    const worker = new BackoffWorker(name, (job, token) => this.process(job, token), options);
    worker.on('error', (error) => this.trouble(error));
    worker.on('stalled', (jobId) => void this.mend(worker, jobId).catch((error: unknown) => this.trouble(error)));
    return worker;
  }

  private async run(job: Job, token: string | undefined): Promise<void> {
    // Redis keeps a job and its place in the queue under separate keys, and may evict one without the other.
    const isLost = (job.name as string | undefined) === undefined;
    await this.runOnce({ id: job.id ?? '', data: isLost ? undefined : this.dataOf(job) }, async (ending) => {
      if (ending.kind === 'over') return;
      await job.moveToDelayed(Date.now() + ending.afterMs, token);
      throw new DelayedError();
    });
  }

  /** Runs a job that Redis did not accept. Never rejects. */
  private async runHere({ id, data }: InProcessJob): Promise<JobEnding> {
    this.services.connection.onException(this.name, 'run_here', 1);
    let ending: JobEnding = OVER;
    const run = this.runOnce({ id, data }, async (came) => {
      ending = came;
    });
    await this.running.track(run).catch(() => undefined);
    return ending;
  }

  /**
   * @param data undefined: Redis has lost it
   * @param onEnding may throw `DelayedError` after it has put the job back
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
          this.trouble(new Error('Redis has deleted the data of a job: the reconciler queues it again from MySQL'));
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

  /** Does not store the payload: its content is unknown. */
  private async setAside(id: string, why: string): Promise<JobEnding> {
    this.logger.error({ why }, 'a job that cannot be read is recorded as failed');
    try {
      await this.services.failedJobs.insert({
        queue: this.name,
        jobId: id,
        why: `its payload cannot be read: ${why}`,
        details: null,
      });
      return OVER;
    } catch (error) {
      this.logger.error({ err: error }, 'a job that cannot be read could not be recorded as failed');
      return { kind: 'again', afterMs: SET_ASIDE_AGAIN_MS };
    }
  }

  /**
   * BullMQ cannot take a job whose payload is not JSON, so it never reaches `run` and its id would stay taken. Emptied,
   * it is stored as a failed job like any other unreadable one.
   */
  private async mend(worker: BackoffWorker, jobId: string): Promise<void> {
    const { redis } = this.services.connection;
    const key = worker.toKey(jobId);
    const data = await redis.hget(key, 'data');
    if (data !== null && !isJson(data)) await redis.hset(key, 'data', 'null');
  }

  private async drain(): Promise<void> {
    if (!this.isServing) return;
    this.localQueue.close();
    if (this.options.isRecurring === true) this.stop.abort();
    const { workers } = this;
    const { graceMs, connection } = this.services;
    const giveUpAfterMs = Math.max(graceMs - GIVE_UP_MS, graceMs / 2);
    // Without Redis, even closing a worker waits. A closing worker still runs the job it was just given.
    const closed = Promise.all(
      workers.map((worker) => worker.close(!connection.isReady).catch((error: unknown) => this.trouble(error))),
    );
    const finished = closed.then(() => this.running.ended());
    if (await settlesWithin(finished, giveUpAfterMs)) return;
    this.logger.warn({ queue: this.name, jobs: this.active }, 'jobs that do not end in time are left to other workers');
    this.stop.abort();
    if (await settlesWithin(finished, (graceMs - giveUpAfterMs) * CLOSE_SHARE)) return;
    for (const worker of workers) worker.abandon();
    for (const worker of this.furtherWorkers) worker.close().catch((error: unknown) => this.trouble(error));
  }
}

/** Not trusted: any Redis client can write it. Used only for logging. */
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

/** The database is down; the job itself is fine. */
function isOutage(error: unknown): boolean {
  return isConnectionLost(error) || (error instanceof AppError && error.code === 'service_unavailable');
}
