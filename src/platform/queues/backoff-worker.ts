import { Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal } from '../redis/redis-errors.js';

const PAUSE_MS = 1000;
/** How long a refusal counts: an idle worker learns of one when it tries to take a job, every few seconds. */
const LASTS_MS = 30_000;

/** Keeps no finished jobs, even where Redis has deleted the job's own options. */
const KEEP_NONE = { count: 0 } as const;

/** Options of every worker; `@Processor` may override them. */
const OPTIONS = {
  /** A worker that does not renew its lock for this long counts as dead. */
  lockDuration: 15_000,
  stalledInterval: 5000,
  /** MySQL counts how often a job was lost. */
  maxStalledCount: 1_000_000,
  removeOnComplete: KEEP_NONE,
  removeOnFail: KEEP_NONE,
} satisfies Partial<WorkerOptions>;

/**
 * The worker that `BullModule` creates for each processor. BullMQ's own polls a full or read-only Redis thousands of
 * times a second; this one pauses for a second.
 */
export class BackoffWorker extends Worker {
  private refusedAt = Number.NEGATIVE_INFINITY;
  private isAbandoned = false;

  constructor(name: string, process: Processor | null, options: WorkerOptions) {
    super(name, process, { ...OPTIONS, ...options });
  }

  /** Redis has lately refused to hand out a job. */
  get isRefused(): boolean {
    return performance.now() - this.refusedAt < LASTS_MS;
  }

  /** Stops waiting for jobs that do not end and for a Redis that does not answer. */
  abandon(): void {
    this.isAbandoned = true;
  }

  /** `BullModule` calls it at shutdown, without a deadline. */
  override async close(force?: boolean): Promise<void> {
    if (!this.isAbandoned) return super.close(force);
    await this.lockManager.close();
    this.backend.close(true).catch(() => undefined);
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      if (isRefusal(error)) {
        this.refusedAt = performance.now();
        await delay(PAUSE_MS);
      }
      throw error;
    }
  }
}
