import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from '../../engine/deadline.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { Flight, FlightDepth } from './flight.js';
import { Hold, type HoldTimes } from './hold.js';
import type { Look, TakeAnswer } from './leases.js';
import { Waiters } from './waiters.js';
import type { WatchedLeases } from './watched-leases.js';

export interface FlightTimes extends HoldTimes {
  /** How often who waits looks by itself: finds leases that expired and landings whose message was lost. */
  readonly pollMs: number;
  /** Those woken at once, of all processes, ask within so long of each other. */
  readonly jitterMs: number;
}

export interface AddressFlightsParts {
  readonly leases: WatchedLeases;
  readonly times: FlightTimes;
  /** Between 0 and 1. */
  readonly random: () => number;
  /** Somebody waits for another process. */
  readonly onWait: () => void;
  /** Nobody waits and nobody holds. */
  readonly onIdle: () => void;
}

/**
 * The flights of one address in one process: at most one holder, those who wait, and while somebody waits with no holder
 * here, one scout that asks for the lease on behalf of them all.
 */
export class AddressFlights {
  private readonly waiters = new Waiters(() => this.alarm?.());
  private holder: Hold | null = null;
  private scouting = false;
  /** Something happened since the scout last asked. */
  private woken = false;
  private alarm: (() => void) | null = null;

  constructor(
    private readonly hash: string,
    private readonly parts: AddressFlightsParts,
  ) {}

  get waiting(): number {
    return this.waiters.size;
  }

  get held(): boolean {
    return this.holder !== null;
  }

  /** How far the check of the holder here has come; null: it asked nobody yet, or there is none. */
  get stage(): SmtpStage | null {
    return this.holder?.stage ?? null;
  }

  join(depth: FlightDepth, deadline: Deadline): Promise<Flight> {
    const flight = this.waiters.add(depth, deadline);
    this.goOn(null);
    return flight;
  }

  /** A holder ended, here or elsewhere. @param stored the depth of its result; null: there is none */
  landed(stored: FlightDepth | null): void {
    if (stored !== null) this.waiters.landed(stored);
    this.wake();
  }

  /** The scout looks now. */
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
   * Asks until one of the waiters leads or none is left. Never rejects.
   * @param after the end of this process's holder, of which others hear at the same moment
   */
  private async scout(after: Promise<Look | null> | null): Promise<void> {
    this.scouting = true;
    const token = randomUUID();
    const { leases, onWait } = this.parts;
    let last: Look | null = null;
    if (after !== null) {
      await this.jitter();
      last = await after;
    }
    let missed = false;
    while (this.waiters.size > 0) {
      this.woken = false;
      const answer: TakeAnswer | null = await leases.take({ hash: this.hash, token, last });
      const waited = last !== null;
      // A miss behind a holder that was there a moment ago may be a connection that broke: once.
      const alone = answer === null && (!waited || missed);
      if (waited && answer?.landed) this.waiters.landed(answer.landed);
      if (alone || answer?.taken) {
        this.lead(token, alone || waited || answer?.landed !== null);
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
      // Whoever asked for it has left or been served meanwhile.
      void leases.land({ hash: this.hash, token, depth: 'standard', stored: false });
      return;
    }
    const lease = { hash: this.hash, token, leases };
    const hold = new Hold(waiter.depth, lease, times, (stored, told) => {
      this.holder = null;
      if (stored) this.waiters.landed(waiter.depth);
      this.goOn(told);
    });
    this.holder = hold;
    waiter.end({
      kind: 'lead',
      recheck,
      reach: (stage) => hold.reach(stage),
      land: (stored) => hold.end(stored),
    });
  }

  private goOn(after: Promise<Look | null> | null): void {
    if (this.holder !== null || this.scouting) return;
    if (this.waiters.size > 0) void this.scout(after);
    else this.parts.onIdle();
  }

  /** To the next look of its own, or until woken. */
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
