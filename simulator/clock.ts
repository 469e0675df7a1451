/** A process of the model: it yields what it waits for, and goes on when that calls `resume`. */
export type Process<Result = void> = Generator<Suspension, Result, void>;
export type Suspension = (resume: () => void) => void;

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  isOff: boolean;
}

/** Ends a wait that is not over. */
export type Cancel = () => void;

/** The clock of a simulation: it goes from event to event. Events of one moment run in the order of their making. */
export class Clock {
  nowMs = 0;
  private readonly heap: Event[] = [];
  private made = 0;

  after(ms: number, run: () => void): Cancel {
    const event: Event = { atMs: this.nowMs + Math.max(0, ms), order: this.made++, run, isOff: false };
    this.push(event);
    return () => {
      event.isOff = true;
    };
  }

  sleep(ms: number): Suspension {
    return (resume) => void this.after(ms, resume);
  }

  /** Runs a process until its first wait; the clock runs the rest. */
  start(process: Process): void {
    const step = (): void => {
      const { done, value } = process.next();
      if (done !== true) value(step);
    };
    step();
  }

  /** Runs until nothing is left to happen, or `isOver` says so. */
  run(isOver: () => boolean = () => false): void {
    while (!isOver()) {
      const event = this.pop();
      if (event === undefined) return;
      if (event.isOff) continue;
      this.nowMs = event.atMs;
      event.run();
    }
  }

  private push(event: Event): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (isBefore(heap[above]!, event)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = event;
  }

  private pop(): Event | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let below = 1; below < heap.length; below = 2 * at + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1]!, heap[below]!)) below += 1;
      if (!isBefore(heap[below]!, last)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
