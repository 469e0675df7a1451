import type { Deadline } from '../../engine/deadline.js';
import type { PolitenessAnswer } from '../../engine/smtp/politeness.js';
import { RecentMap } from './recent-map.js';

export interface Wait {
  readonly kind: 'wait';
  /** `turn`: those of others come first, who wait elsewhere. */
  readonly for: 'rate' | 'connections' | 'turn';
  readonly waitMs: number;
}

export interface LineOptions {
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly onEmpty: () => void;
}

export interface Joiner {
  /** Those of one requester take one turn together. */
  readonly requester: string;
  readonly deadline: Deadline;
  /** How long it waits at most, milliseconds; not longer than to the deadline in any case. */
  readonly waitMs: number;
  /** Asks for leave. Must not reject. */
  readonly ask: () => Promise<PolitenessAnswer | Wait>;
  /** What it has just been told, where it asked before it came here. */
  readonly told: Wait | null;
}

interface Waiter extends Pick<Joiner, 'requester' | 'deadline' | 'ask'> {
  readonly timer: NodeJS.Timeout;
  readonly resolve: (answer: PolitenessAnswer) => void;
  readonly giveUp: () => void;
}

/** Another process gives a connection back unheard: the book is looked into at growing intervals. */
const FIRST_LOOK_MS = 25;
export const LONGEST_LOOK_MS = 500;
/** Keeps processes that wait for the same moment apart. */
const RATE_JITTER_MS = 20;
/** More than can be served within any deadline. */
const MAX_WAITERS = 1000;

/**
 * Those of one process who wait for leave for the same group and egress. Requesters take turns, whoever was served longest ago
 * first; those of one requester come in the order they came. Only one waiter asks: when the pace allows it, when this process
 * gives a connection back, and now and then for those of other processes.
 */
export class WaitingLine {
  private readonly waiters: Waiter[] = [];
  /** The turn in which each requester was served last. */
  private readonly served = new RecentMap<number>(MAX_WAITERS);
  private turns = 0;
  private serving = false;
  private asking: Waiter | null = null;
  private alarm: (() => void) | null = null;
  private waitingFor: Wait['for'] | null = null;

  constructor(private readonly options: LineOptions) {}

  get length(): number {
    return this.waiters.length;
  }

  /** Whoever is first waits for a turn by the pace, not for a connection. */
  get isPaced(): boolean {
    return this.waitingFor === 'rate' || this.waitingFor === 'turn';
  }

  join({ requester, deadline, waitMs, ask, told }: Joiner): Promise<PolitenessAnswer> {
    if (deadline.expired || waitMs <= 0 || !this.hasRoomFor(requester)) return Promise.resolve({ kind: 'full' });
    return new Promise((resolve) => {
      const giveUp = (): void => this.leave(waiter, { kind: 'full' });
      const waiter: Waiter = { requester, deadline, ask, resolve, giveUp, timer: setTimeout(giveUp, waitMs) };
      deadline.signal.addEventListener('abort', waiter.giveUp, { once: true });
      this.waiters.push(waiter);
      if (!this.serving) void this.serve(told);
    });
  }

  /** A connection of the group was given back by this process. */
  connectionFreed(): void {
    if (this.waitingFor === 'connections') this.alarm?.();
  }

  /** Where the line is full, the last one of the requester with most of them makes room for one that has fewer. */
  private hasRoomFor(requester: string): boolean {
    if (this.waiters.length < MAX_WAITERS) return true;
    const counts = new Map<string, number>();
    for (const waiter of this.waiters) counts.set(waiter.requester, (counts.get(waiter.requester) ?? 0) + 1);
    const [most, count] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    if (count <= (counts.get(requester) ?? 0) + 1) return false;
    this.waiters.findLast((waiter) => waiter.requester === most)!.giveUp();
    return true;
  }

  private async serve(told: Wait | null): Promise<void> {
    this.serving = true;
    let next: Wait | null = told;
    let lookMs = FIRST_LOOK_MS;
    /** Requesters that were told that it is not their turn. */
    const passed = new Set<string>();
    while (this.waiters.length > 0) {
      if (next !== null) {
        await this.pause(next, lookMs);
        lookMs = Math.min(2 * lookMs, LONGEST_LOOK_MS);
        next = null;
        passed.clear();
        continue;
      }
      const first = this.first(passed);
      this.asking = first;
      const answer = await first.ask();
      if (answer.kind !== 'wait') {
        if (answer.kind === 'granted') this.served.set(first.requester, (this.turns += 1));
        this.leave(first, answer);
        lookMs = FIRST_LOOK_MS;
      } else if (answer.for === 'turn') {
        passed.add(first.requester);
        if (this.waiters.every(({ requester }) => passed.has(requester))) next = answer;
      } else {
        next = answer;
      }
    }
    this.serving = false;
    this.options.onEmpty();
  }

  /** There is one. @param passed requesters that are left out while there are others */
  private first(passed: ReadonlySet<string>): Waiter {
    const servedAt = ({ requester }: Waiter): number =>
      (passed.has(requester) ? Number.MAX_SAFE_INTEGER : 0) + (this.served.get(requester) ?? 0);
    return this.waiters.reduce((one, other) => (servedAt(other) < servedAt(one) ? other : one));
  }

  private async pause({ for: reason, waitMs }: Wait, lookMs: number): Promise<void> {
    const jitter = this.options.random();
    const untilNextLook = Math.min(waitMs, lookMs * (0.5 + jitter / 2));
    const ms = reason === 'connections' ? untilNextLook : waitMs + jitter * RATE_JITTER_MS;
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
    if (waiter === this.asking || this.waiters.length === 0) this.alarm?.();
  }
}
