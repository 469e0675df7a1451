import { Worker, type Job, type Processor, type WorkerOptions } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal } from '../redis/redis-errors.js';
import { KEPT_NOWHERE } from './standing-jobs.js';

const PAUSE_MS = 1000;
/** A worker that waits for a job learns of a refusal when it tries to take one, every few seconds. */
const LASTS_MS = 30_000;

/** Of every worker; `@Processor` may set others. */
const OPTIONS = {
  /** A holder that does not renew is taken for dead after so long. */
  lockDuration: 15_000,
  stalledInterval: 5000,
  /** How often a job was lost is counted in MySQL. */
  maxStalledCount: 1_000_000,
  removeOnComplete: KEPT_NOWHERE,
  removeOnFail: KEPT_NOWHERE,
} satisfies Partial<WorkerOptions>;

/**
 * The worker that `BullModule` makes for each processor. BullMQ's own asks a Redis that is full or read-only for a job thousands of
 * times a second; this one leaves such a Redis alone for a second.
 */
export class PatientWorker extends Worker {
  private refusedAt = Number.NEGATIVE_INFINITY;
  private isAbandoned = false;

  constructor(name: string, process: Processor | null, options: WorkerOptions) {
    super(name, process, { ...OPTIONS, ...options });
  }

  /** Redis has lately not let it take a job. */
  get isRefused(): boolean {
    return performance.now() - this.refusedAt < LASTS_MS;
  }

  /** Nobody waits any more for jobs that do not end, nor for a Redis that does not answer. */
  abandon(): void {
    this.isAbandoned = true;
  }

  /** `BullModule` calls it when the process ends, without a deadline. */
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
