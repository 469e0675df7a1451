import type { Deadline } from '../../engine/deadline.js';
import { answers, type JoinOutcome, type CheckDepth } from './join-outcome.js';

interface Waiter {
  readonly depth: CheckDepth;
  readonly end: (flight: JoinOutcome) => void;
}

/** The waiters of one process for one address. Each leaves when its deadline passes. */
export class Waiters {
  private readonly byDepth: Readonly<Record<CheckDepth, Set<Waiter>>> = { standard: new Set(), enhanced: new Set() };

  /** @param onEmpty called each time the last waiter has left because of its deadline */
  constructor(private readonly onEmpty: () => void) {}

  get size(): number {
    return this.byDepth.standard.size + this.byDepth.enhanced.size;
  }

  add(depth: CheckDepth, deadline: Deadline): Promise<JoinOutcome> {
    return new Promise((resolve) => {
      const late = (): void => {
        waiter.end({ kind: 'timed_out' });
        if (this.size === 0) this.onEmpty();
      };
      const waiter: Waiter = {
        depth,
        end: (flight) => {
          deadline.signal.removeEventListener('abort', late);
          this.byDepth[depth].delete(waiter);
          resolve(flight);
        },
      };
      deadline.signal.addEventListener('abort', late, { once: true });
      this.byDepth[depth].add(waiter);
    });
  }

  /**
   * The next leader: the waiter that wants the deepest check, since its result serves the others; the earliest of
   * these.
   */
  first(): Waiter | undefined {
    return first(this.byDepth.enhanced) ?? first(this.byDepth.standard);
  }

  /** Resolves all waiters that a check of this depth answers. */
  completed(depth: CheckDepth): void {
    for (const wanted of ['standard', 'enhanced'] as const) {
      if (answers(depth, wanted)) this.endAll(wanted, { kind: 'completed' });
    }
  }

  giveUp(): void {
    this.endAll('standard', { kind: 'timed_out' });
    this.endAll('enhanced', { kind: 'timed_out' });
  }

  private endAll(depth: CheckDepth, flight: JoinOutcome): void {
    for (const waiter of this.byDepth[depth]) waiter.end(flight);
  }
}

function first<T>(set: ReadonlySet<T>): T | undefined {
  for (const value of set) return value;
  return undefined;
}
