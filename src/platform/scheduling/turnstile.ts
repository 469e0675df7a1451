import { serviceUnavailable } from '../errors/service-unavailable.js';
import { Places } from './places.js';

export interface TurnstileOptions {
  /** Who may be inside at once. */
  readonly places: number;
  /** Who may wait at once: any more are refused. */
  readonly maxWaiting: number;
  /** Milliseconds. */
  readonly maxWaitMs: number;
}

/** Lets a few in at a time, in the order they came: for work that each takes a connection of the pool for long. */
export class Turnstile {
  private readonly inside: Places;

  constructor(private readonly options: TurnstileOptions) {
    this.inside = new Places(options.places);
  }

  /** @throws AppError `service_unavailable` when there was no place in time; or what `work` throws */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const { maxWaiting, maxWaitMs } = this.options;
    const { inside } = this;
    if (inside.areTaken && inside.waitingFor >= maxWaiting) throw serviceUnavailable(new Error('too many wait'));
    if (!(await inside.take(maxWaitMs))) throw serviceUnavailable(new Error('waited too long for a place'));
    try {
      return await work();
    } finally {
      inside.giveBack();
    }
  }
}
