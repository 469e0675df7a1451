import { serviceUnavailable } from '../errors/service-unavailable.js';
import { Semaphore } from './semaphore.js';

export interface BoundedSemaphoreOptions {
  /** Tasks that may run at once, if each takes one. */
  readonly permits: number;
  /** Callers that may wait at once; more are refused. */
  readonly maxWaiting: number;
  /** Milliseconds that a caller waits at most. */
  readonly maxWaitMs: number;
}

/** Runs a limited number of tasks at once, in order of arrival: each occupies connections for long. */
export class BoundedSemaphore {
  private readonly semaphore: Semaphore;

  constructor(private readonly options: BoundedSemaphoreOptions) {
    this.semaphore = new Semaphore(options.permits);
  }

  /**
   * @param permits that the task takes
   * @param work may give permits back before its end
   * @throws AppError `service_unavailable` if the permits do not come in time; or the error of `work`
   */
  async run<T>(work: (giveBack: (permits: number) => void) => Promise<T>, permits = 1): Promise<T> {
    const { maxWaiting, maxWaitMs } = this.options;
    const { semaphore } = this;
    if (!semaphore.hasRoom(permits) && semaphore.waiterCount >= maxWaiting)
      throw serviceUnavailable(new Error('too many callers wait'));
    if (!(await semaphore.acquire(maxWaitMs, permits)))
      throw serviceUnavailable(new Error('the caller waited too long for its turn'));
    let held = permits;
    const giveBack = (some: number): void => {
      held -= some;
      semaphore.release(some);
    };
    try {
      return await work(giveBack);
    } finally {
      giveBack(held);
    }
  }
}
