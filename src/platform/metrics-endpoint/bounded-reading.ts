import { withinDeadline } from '../scheduling/within-deadline.js';

const REUSE_MS = 3000;
const DEADLINE_MS = 1000;

/**
 * A figure that has to be asked for, for whoever asks at any rate: one reading is under way at a time, it is good for a few
 * seconds, and it is null where the answer did not come in time. Never rejects.
 */
export class BoundedReading<T> {
  private latest: Promise<T | null> = Promise.resolve(null);
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly ask: () => Promise<T>) {}

  read(): Promise<T | null> {
    if (performance.now() - this.readAt > REUSE_MS) {
      this.readAt = performance.now();
      this.latest = this.attempt();
    }
    return this.latest;
  }

  private async attempt(): Promise<T | null> {
    try {
      return await withinDeadline(this.ask(), DEADLINE_MS);
    } catch {
      return null;
    }
  }
}
