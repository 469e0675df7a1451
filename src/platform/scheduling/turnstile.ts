import { serviceUnavailable } from '../errors/service-unavailable.js';
import { Semaphore } from './places.js';

export interface BoundedSemaphoreOptions {
  /** Who may be inside at once. */
  readonly permits: number;
  /** Who may wait at once: any more are refused. */
  readonly maxWaiting: number;
  /** Milliseconds. */
  readonly maxWaitMs: number;
}

/** Lets a few in at a time, in the order they came: for work that each takes a connection of the pool for long. */
export class BoundedSemaphore {
  private readonly semaphore: Semaphore;

  constructor(private readonly options: BoundedSemaphoreOptions) {
    this.semaphore = new Semaphore(options.permits);
  }

  /** @throws AppError `service_unavailable` when there was no place in time; or what `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { maxWaiting, maxWaitMs } = this.options;
    const { semaphore: inside } = this;
    if (inside.isFull && inside.waiterCount >= maxWaiting) throw serviceUnavailable(new Error('too many wait'));
    if (!(await inside.acquire(maxWaitMs))) throw serviceUnavailable(new Error('waited too long for a place'));
    try {
      return await work();
    } finally {
      inside.release();
    }
  }
}
