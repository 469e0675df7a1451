import type { Addition, JobEnding } from './work-queue.js';

/** A job that Redis did not accept. */
export interface InProcessJob {
  readonly id: string;
  /** The payload, as in the queue. */
  readonly data: object;
  readonly priority: Addition<unknown>['priority'];
  readonly delayMs: number;
}

export interface InProcessQueueOptions {
  /** Concurrent jobs. */
  readonly concurrency: number;
  /** Runs a job once. Never rejects. */
  readonly run: (work: InProcessJob) => Promise<JobEnding>;
}

interface Waiting extends InProcessJob {
  /** The lowest is served first. */
  readonly place: number;
  readonly dueAt: number;
}

/** Jobs beyond this, or due later, are left to the reconciler of the rows in MySQL. */
const MAX_WAITING = 2000;
const LONGEST_DELAY_MS = 60_000;

/**
 * Runs jobs in this process while Redis does not accept them: each id once, by priority or in fair turns of flows, when
 * due. Losing it loses no work: MySQL records what is to be done. No `RedisFailover`: each job that Redis refuses is run
 * here, and the next one is offered to Redis again.
 */
export class InProcessQueue {
  private readonly waiting = new Map<string, Waiting>();
  private readonly running = new Set<string>();
  /** The last place of each flow. */
  private readonly lasts = new Map<string, number>();
  /** The place served last. */
  private turn = 0;
  private alarm: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: InProcessQueueOptions) {}

  add(work: InProcessJob): void {
    const known = this.waiting.get(work.id);
    if (this.running.has(work.id) || work.delayMs > LONGEST_DELAY_MS) return;
    if (known === undefined && this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(work.id, {
      ...work,
      place: known === undefined ? this.placeOf(work) : Math.min(known.place, this.placeOf(work)),
      dueAt: Math.min(performance.now() + work.delayMs, known?.dueAt ?? Number.POSITIVE_INFINITY),
    });
    this.fill();
  }

  /** Starts no more jobs. */
  close(): void {
    this.closed = true;
    clearTimeout(this.alarm);
    this.waiting.clear();
  }

  /** One place behind the last of its flow, and never before the current place. */
  private placeOf({ priority }: InProcessJob): number {
    if (typeof priority === 'number') return priority;
    const place = Math.max(this.turn, this.lasts.get(priority.flow) ?? 0) + 1;
    this.lasts.set(priority.flow, place);
    return place;
  }

  private fill(): void {
    clearTimeout(this.alarm);
    while (!this.closed && this.running.size < this.options.concurrency) {
      const next = this.next();
      if (next === null) return;
      this.waiting.delete(next.id);
      this.running.add(next.id);
      this.turn = next.place;
      if (this.waiting.size === 0) this.lasts.clear();
      void this.run(next);
    }
  }

  /** The most urgent due job; null: none is due, and a timer is set for the next. */
  private next(): Waiting | null {
    const now = performance.now();
    let first: Waiting | null = null;
    let laterAt = Number.POSITIVE_INFINITY;
    for (const work of this.waiting.values()) {
      if (work.dueAt > now) laterAt = Math.min(laterAt, work.dueAt);
      else if (first === null || work.place < first.place) first = work;
    }
    if (first === null && laterAt < Number.POSITIVE_INFINITY) {
      this.alarm = setTimeout(() => this.fill(), laterAt - now).unref();
    }
    return first;
  }

  private async run(work: Waiting): Promise<void> {
    const ending = await this.options.run(work);
    this.running.delete(work.id);
    if (ending.kind === 'again') this.add({ ...work, delayMs: ending.afterMs });
    this.fill();
  }
}
