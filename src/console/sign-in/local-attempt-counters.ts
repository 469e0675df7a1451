import { ExpiringMap } from '../../platform/caching/expiring-map.js';
import type { AttemptCounters } from './attempt-counters.js';

const MAX_NAMES = 20_000;

interface Counter {
  tries: number;
  readonly until: number;
}

/** The counters of one process, while Redis does not answer. */
export class LocalAttemptCounters implements AttemptCounters {
  private readonly counters = new ExpiringMap<Counter>(MAX_NAMES);

  /** @param now monotonic clock, milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  async take(names: readonly string[], limits: readonly number[], windowSeconds: number): Promise<number> {
    const now = this.now();
    const found = names.map((name) => this.counters.get(name, now));
    const waits = found.map((counter, i) => (counter && counter.tries >= limits[i]! ? counter.until - now : 0));
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    const until = now + windowSeconds * 1000;
    found.forEach((counter, i) => {
      if (counter !== undefined) counter.tries += 1;
      else this.counters.set(names[i]!, { tries: 1, until }, until);
    });
    return 0;
  }

  async giveBack(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const counter = this.counters.get(name, this.now());
      if (counter !== undefined && counter.tries > 0) counter.tries -= 1;
    }
  }
}
