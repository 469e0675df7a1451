import { serviceUnavailable } from '../errors/service-unavailable.js';

export interface TurnstileOptions {
  /** Who may be inside at once. */
  readonly places: number;
  /** Who may wait at once: any more are refused. */
  readonly maxWaiting: number;
  /** Milliseconds. */
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly enter: () => void;
  readonly timer: NodeJS.Timeout;
}

/** Lets a few in at a time, in the order they came: for work that each takes a connection of the pool for long. */
export class Turnstile {
  private inside = 0;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly options: TurnstileOptions) {}

  /** @throws AppError `service_unavailable` when there was no place in time; or what `work` throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside < this.options.places) this.inside++;
    else await this.wait();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private wait(): Promise<void> {
    const { maxWaiting, maxWaitMs } = this.options;
    if (this.waiting.length >= maxWaiting) return Promise.reject(serviceUnavailable(new Error('too many wait')));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(serviceUnavailable(new Error('waited too long for a place')));
      }, maxWaitMs);
      const waiting = { enter: resolve, timer };
      this.waiting.push(waiting);
    });
  }

  /** The place goes to whoever waits longest. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) {
      this.inside--;
      return;
    }
    clearTimeout(next.timer);
    next.enter();
  }
}
