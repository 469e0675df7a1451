import type { Deadline } from '../../engine/deadline.js';
import type { PolitenessAnswer } from '../../engine/smtp/politeness.js';
import { RecentMap } from '../caching/recent-map.js';
import type { ThrottleAnswer } from './throttle-store.js';

export type Wait = Extract<ThrottleAnswer, { kind: 'wait' }>;

export interface PermitQueueOptions {
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly onEmpty: () => void;
}

export interface QueuedRequest {
  /** Requests of one requester share one turn. */
  readonly requester: string;
  readonly deadline: Deadline;
  /** Longest wait, milliseconds; the deadline may end it earlier. */
  readonly waitMs: number;
  /** Asks for a permit. Must not reject. */
  readonly ask: () => Promise<PolitenessAnswer | Wait>;
  /** The answer to an earlier request; null if it has not asked yet. */
  readonly lastAnswer: Wait | null;
}

interface Waiter extends Pick<QueuedRequest, 'requester' | 'deadline' | 'ask'> {
  readonly timer: NodeJS.Timeout;
  readonly resolve: (answer: PolitenessAnswer) => void;
  readonly giveUp: () => void;
}

/** Other processes do not notify us when they release a connection, so poll at growing intervals. */
const FIRST_POLL_MS = 25;
export const LONGEST_POLL_MS = 500;
/** Keeps processes that wait for the same moment apart. */
const RATE_JITTER_MS = 20;
/** More than any deadline lets us serve. */
const MAX_WAITERS = 1000;

/**
 * The waiters of one process for permits of one group and egress. Requesters take turns, least recently served first;
 * waiters of one requester are served in order of arrival. Only one waiter asks: when the pace allows it, when this
 * process releases a connection, and periodically for connections that other processes release.
 */
export class PermitQueue {
  private readonly waiters: Waiter[] = [];
  /** The turn number at which each requester was last served. */
  private readonly served = new RecentMap<number>(MAX_WAITERS);
  private turns = 0;
  private serving = false;
  private asking: Waiter | null = null;
  private wake: (() => void) | null = null;
  private waitingFor: Wait['for'] | null = null;

  constructor(private readonly options: PermitQueueOptions) {}

  get length(): number {
    return this.waiters.length;
  }

  /** The first waiter waits for the pace, not for a connection. */
  get isPaced(): boolean {
    return this.waitingFor === 'rate' || this.waitingFor === 'turn';
  }

  enqueue({ requester, deadline, waitMs, ask, lastAnswer }: QueuedRequest): Promise<PolitenessAnswer> {
    if (deadline.expired || waitMs <= 0 || !this.hasRoomFor(requester)) return Promise.resolve({ kind: 'full' });
    return new Promise((resolve) => {
      const giveUp = (): void => this.remove(waiter, { kind: 'full' });
      const waiter: Waiter = { requester, deadline, ask, resolve, giveUp, timer: setTimeout(giveUp, waitMs) };
      deadline.signal.addEventListener('abort', waiter.giveUp, { once: true });
      this.waiters.push(waiter);
      if (!this.serving) void this.serve(lastAnswer);
    });
  }

  /** This process has released a connection of the group. */
  connectionFreed(): void {
    if (this.waitingFor === 'connections') this.wake?.();
  }

  /** In a full line, the last waiter of the requester with the most makes room for a requester with fewer. */
  private hasRoomFor(requester: string): boolean {
    if (this.waiters.length < MAX_WAITERS) return true;
    const counts = new Map<string, number>();
    for (const waiter of this.waiters) counts.set(waiter.requester, (counts.get(waiter.requester) ?? 0) + 1);
    const [most, count] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    if (count <= (counts.get(requester) ?? 0) + 1) return false;
    this.waiters.findLast((waiter) => waiter.requester === most)!.giveUp();
    return true;
  }

  private async serve(lastAnswer: Wait | null): Promise<void> {
    this.serving = true;
    let next: Wait | null = lastAnswer;
    let pollMs = FIRST_POLL_MS;
    /** Requesters that were told to let others go first. */
    const skipped = new Set<string>();
    while (this.waiters.length > 0) {
      if (next !== null) {
        await this.pause(next, pollMs);
        pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS);
        next = null;
        skipped.clear();
        continue;
      }
      const first = this.first(skipped);
      this.asking = first;
      const answer = await first.ask();
      if (answer.kind !== 'wait') {
        if (answer.kind === 'granted') this.served.set(first.requester, (this.turns += 1));
        this.remove(first, answer);
        pollMs = FIRST_POLL_MS;
      } else if (answer.for === 'turn') {
        skipped.add(first.requester);
        if (this.waiters.every(({ requester }) => skipped.has(requester))) next = answer;
      } else {
        next = answer;
      }
    }
    this.serving = false;
    this.options.onEmpty();
  }

  /**
   * The first waiter; the line must not be empty.
   * @param skipped requesters to pass over while there are others
   */
  private first(skipped: ReadonlySet<string>): Waiter {
    const servedAt = ({ requester }: Waiter): number =>
      (skipped.has(requester) ? Number.MAX_SAFE_INTEGER : 0) + (this.served.get(requester) ?? 0);
    return this.waiters.reduce((one, other) => (servedAt(other) < servedAt(one) ? other : one));
  }

  private async pause({ for: reason, waitMs }: Wait, pollMs: number): Promise<void> {
    const jitter = this.options.random();
    const untilNextLook = Math.min(waitMs, pollMs * (0.5 + jitter / 2));
    const ms = reason === 'connections' ? untilNextLook : waitMs + jitter * RATE_JITTER_MS;
    this.waitingFor = reason;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.waitingFor = null;
    this.wake = null;
  }

  private remove(waiter: Waiter, answer: PolitenessAnswer): void {
    const place = this.waiters.indexOf(waiter);
    if (place === -1) {
      // The waiter had given up: release a connection that came too late.
      if (answer.kind === 'granted') answer.release({ kind: 'no_answer', retryAfterSeconds: null });
      return;
    }
    this.waiters.splice(place, 1);
    clearTimeout(waiter.timer);
    waiter.deadline.signal.removeEventListener('abort', waiter.giveUp);
    waiter.resolve(answer);
    if (waiter === this.asking || this.waiters.length === 0) this.wake?.();
  }
}
