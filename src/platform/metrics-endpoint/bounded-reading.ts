import { withinDeadline } from '../scheduling/within-deadline.js';

const REUSE_MS = 3000;
const DEADLINE_MS = 1000;

/**
 * Reads a figure from a server at a limited rate: one read at a time, cached for a few seconds, null on timeout. Never
 * rejects.
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
