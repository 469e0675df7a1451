import type { Deadline } from '../../engine/deadline.js';
import type { PolitenessAnswer } from '../../engine/smtp/politeness.js';

export interface Wait {
  readonly kind: 'wait';
  readonly for: 'rate' | 'connections';
  readonly waitMs: number;
}

export interface LineOptions {
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly onEmpty: () => void;
}

export interface Joiner {
  readonly deadline: Deadline;
  /** How long it waits at most, milliseconds; not longer than to the deadline in any case. */
  readonly waitMs: number;
  /** Asks for leave. Must not reject. */
  readonly ask: () => Promise<PolitenessAnswer | Wait>;
  /** What it has just been told, where it asked before it came here. */
  readonly told: Wait | null;
}

interface Waiter extends Pick<Joiner, 'deadline' | 'ask'> {
  readonly timer: NodeJS.Timeout;
  readonly resolve: (answer: PolitenessAnswer) => void;
  readonly giveUp: () => void;
}

/** Another process gives a connection back unheard: the book is looked into at growing intervals. */
const FIRST_LOOK_MS = 25;
const LONGEST_LOOK_MS = 500;
/** Keeps processes that wait for the same moment apart. */
const RATE_JITTER_MS = 20;
/** More than can be served within any deadline. */
const MAX_WAITERS = 1000;

/**
 * Those of one process who wait for leave for the same group and egress, in the order they came. Only the first one asks:
 * when the pace allows it, when this process gives a connection back, and now and then for those of other processes.
 */
export class WaitingLine {
  private readonly waiters: Waiter[] = [];
  private serving = false;
  private alarm: (() => void) | null = null;
  private waitingFor: Wait['for'] | null = null;

  constructor(private readonly options: LineOptions) {}

  get length(): number {
    return this.waiters.length;
  }

  /** Whoever is first waits for a turn by the pace, not for a connection. */
  get isPaced(): boolean {
    return this.waitingFor === 'rate';
  }

  join({ deadline, waitMs, ask, told }: Joiner): Promise<PolitenessAnswer> {
    if (this.waiters.length >= MAX_WAITERS || deadline.expired || waitMs <= 0) return Promise.resolve({ kind: 'full' });
    return new Promise((resolve) => {
      const giveUp = (): void => this.leave(waiter, { kind: 'full' });
      const waiter: Waiter = { deadline, ask, resolve, giveUp, timer: setTimeout(giveUp, waitMs) };
      deadline.signal.addEventListener('abort', waiter.giveUp, { once: true });
      this.waiters.push(waiter);
      if (!this.serving) void this.serve(told);
    });
  }

  /** A connection of the group was given back by this process. */
  connectionFreed(): void {
    if (this.waitingFor === 'connections') this.alarm?.();
  }

  private async serve(told: Wait | null): Promise<void> {
    this.serving = true;
    let next: Wait | null = told;
    let lookMs = FIRST_LOOK_MS;
    for (let first = this.waiters[0]; first !== undefined; first = this.waiters[0]) {
      if (next !== null) {
        await this.pause(next, lookMs);
        lookMs = Math.min(2 * lookMs, LONGEST_LOOK_MS);
        next = null;
        continue;
      }
      const answer = await first.ask();
      if (answer.kind === 'wait') {
        next = answer;
      } else {
        this.leave(first, answer);
        lookMs = FIRST_LOOK_MS;
      }
    }
    this.serving = false;
    this.options.onEmpty();
  }

  private async pause({ for: reason, waitMs }: Wait, lookMs: number): Promise<void> {
    const jitter = this.options.random();
    const ms = reason === 'rate' ? waitMs + jitter * RATE_JITTER_MS : Math.min(waitMs, lookMs * (0.5 + jitter / 2));
    this.waitingFor = reason;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.alarm = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.waitingFor = null;
    this.alarm = null;
  }

  private leave(waiter: Waiter, answer: PolitenessAnswer): void {
    const place = this.waiters.indexOf(waiter);
    if (place === -1) {
      // Had given up before: a connection that came too late is given back.
      if (answer.kind === 'granted') answer.release({ kind: 'no_answer', retryAfterSeconds: null });
      return;
    }
    this.waiters.splice(place, 1);
    clearTimeout(waiter.timer);
    waiter.deadline.signal.removeEventListener('abort', waiter.giveUp);
    waiter.resolve(answer);
    if (place === 0) this.alarm?.();
  }
}
