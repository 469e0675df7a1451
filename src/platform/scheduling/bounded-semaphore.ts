import { serviceUnavailable } from '../errors/service-unavailable.js';
import { Semaphore } from './semaphore.js';

export interface BoundedSemaphoreOptions {
  /** Callers that may run at once. */
  readonly permits: number;
  /** Callers that may wait at once; more are refused. */
  readonly maxWaiting: number;
  /** Milliseconds that a caller waits at most. */
  readonly maxWaitMs: number;
}

/** Runs a limited number of tasks at once, in order of arrival: each occupies a database connection for long. */
export class BoundedSemaphore {
  private readonly semaphore: Semaphore;

  constructor(private readonly options: BoundedSemaphoreOptions) {
    this.semaphore = new Semaphore(options.permits);
  }

  /** @throws AppError `service_unavailable` if no permit comes in time; or the error of `work` */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { maxWaiting, maxWaitMs } = this.options;
    const { semaphore } = this;
    if (semaphore.isFull && semaphore.waiterCount >= maxWaiting)
      throw serviceUnavailable(new Error('too many callers wait'));
    if (!(await semaphore.acquire(maxWaitMs)))
      throw serviceUnavailable(new Error('the caller waited too long for its turn'));
    try {
      return await work();
    } finally {
      semaphore.release();
    }
  }
}
