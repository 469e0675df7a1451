import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from '../../engine/deadline.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { JoinOutcome, CheckDepth } from './join-outcome.js';
import { LeaseHolder, type LeaseHolderTimes } from './lease-holder.js';
import type { Leases, LeaseState, AcquireAnswer } from './leases.js';
import { Waiters } from './waiters.js';

export interface SingleFlightTimes extends LeaseHolderTimes {
  /** How often a waiter polls: this finds expired leases, and completions whose message was lost. */
  readonly pollMs: number;
  /** Waiters of all processes that wake at once spread their requests over so many milliseconds. */
  readonly jitterMs: number;
}

export interface AddressSingleFlightParts {
  readonly leases: Leases;
  readonly times: SingleFlightTimes;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Called when a waiter depends on another process. */
  readonly onWait: () => void;
  /** Called when there is neither leader nor waiter. */
  readonly onIdle: () => void;
}

/**
 * The single-flight of one address in one process: at most one leader, and the waiters. While there are waiters and no
 * local leader, one loop tries to acquire the lease for all of them.
 */
export class AddressSingleFlight {
  private readonly waiters = new Waiters(() => this.alarm?.());
  private holder: LeaseHolder | null = null;
  private scouting = false;
  /** Something happened since the last poll. */
  private woken = false;
  private alarm: (() => void) | null = null;

  constructor(
    private readonly hash: string,
    private readonly parts: AddressSingleFlightParts,
  ) {}

  get waiting(): number {
    return this.waiters.size;
  }

  get held(): boolean {
    return this.holder !== null;
  }

  /**
   * The SMTP stage that the local leader's check has reached; null: it asked no mail host yet, or there is no local
   * leader.
   */
  get stage(): SmtpStage | null {
    return this.holder?.stage ?? null;
  }

  join(depth: CheckDepth, deadline: Deadline): Promise<JoinOutcome> {
    const flight = this.waiters.add(depth, deadline);
    this.goOn(null);
    return flight;
  }

  /** A leader ended, here or in another process. @param stored the depth of its result; null: there is none */
  completed(stored: CheckDepth | null): void {
    if (stored !== null) this.waiters.completed(stored);
    this.wake();
  }

  /** Makes the loop poll now. */
  wake(): void {
    this.woken = true;
    this.alarm?.();
  }

  close(): void {
    this.holder?.stop();
    this.waiters.giveUp();
    this.wake();
  }

  /**
   * Polls until one of the waiters leads or none is left. Never rejects.
   * @param after the end of the local leader, which other processes learn of at the same moment
   */
  private async scout(after: Promise<LeaseState | null> | null): Promise<void> {
    this.scouting = true;
    const token = randomUUID();
    const { leases, onWait } = this.parts;
    let last: LeaseState | null = null;
    if (after !== null) {
      await this.jitter();
      last = await after;
    }
    let missed = false;
    while (this.waiters.size > 0) {
      this.woken = false;
      const answer: AcquireAnswer | null = await leases.acquire({ hash: this.hash, token, last });
      const waited = last !== null;
      // Redis was there a moment ago, so one failed poll may be a broken connection: lead alone only after two.
      const alone = answer === null && (!waited || missed);
      if (waited && answer?.completed) this.waiters.completed(answer.completed);
      if (alone || answer?.taken) {
        this.lead(token, alone || waited || answer?.completed !== null);
        break;
      }
      missed = answer === null;
      last = answer ?? last;
      onWait();
      await this.pause();
    }
    this.scouting = false;
    this.goOn(null);
  }

  private lead(token: string, recheck: boolean): void {
    const { leases, times } = this.parts;
    const waiter = this.waiters.first();
    if (waiter === undefined) {
      // The waiter that the lease was acquired for has left or been served meanwhile.
      void leases.complete({ hash: this.hash, token, depth: 'standard', stored: false });
      return;
    }
    const lease = { hash: this.hash, token, leases };
    const hold = new LeaseHolder(waiter.depth, lease, times, (stored, told) => {
      this.holder = null;
      if (stored) this.waiters.completed(waiter.depth);
      this.goOn(told);
    });
    this.holder = hold;
    waiter.end({
      kind: 'leader',
      recheck,
      reach: (stage) => hold.reach(stage),
      complete: (stored) => hold.end(stored),
    });
  }

  private goOn(after: Promise<LeaseState | null> | null): void {
    if (this.holder !== null || this.scouting) return;
    if (this.waiters.size > 0) void this.scout(after);
    else this.parts.onIdle();
  }

  /** Sleeps until the next poll is due, or until woken. */
  private async pause(): Promise<void> {
    const { times, random } = this.parts;
    if (!this.woken && this.waiters.size > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, times.pollMs * (0.75 + random() / 2));
        this.alarm = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.alarm = null;
    }
    if (this.woken && this.waiters.size > 0) await this.jitter();
  }

  private async jitter(): Promise<void> {
    const { times, random } = this.parts;
    await delay(random() * times.jitterMs);
  }
}
