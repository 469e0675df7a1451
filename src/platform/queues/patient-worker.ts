import { Worker, type Job } from 'bullmq';
import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal } from '../redis/redis-errors.js';

const PAUSE_MS = 1000;
/** A worker that waits for a job learns of a refusal when it tries to take one, every few seconds. */
const LASTS_MS = 30_000;

/**
 * A worker for a Redis that may be full or read-only. BullMQ's own asks for a job again at once, thousands of times a second; this
 * one leaves such a Redis alone for a second.
 */
export class PatientWorker extends Worker {
  private refusedAt = Number.NEGATIVE_INFINITY;

  /** Redis has lately not let it take a job. */
  get isRefused(): boolean {
    return performance.now() - this.refusedAt < LASTS_MS;
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
