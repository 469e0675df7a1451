import type { Pace, SessionsOutcome } from '../src/engine/smtp/politeness.js';
import { decidePermit, type PermitDecision } from '../src/platform/politeness/decide-permit.js';
import { burstOf, paceFor, rateOf, type Limits, type Rate } from '../src/platform/politeness/limits.js';
import {
  afterOutcome,
  NO_REFUSALS,
  recall,
  type BackOffOptions,
  type Refusals,
} from '../src/platform/politeness/refusals.js';
import type { Cancel, Clock, Process } from './clock.js';

/** The answer to a request for a connection. `dismissed`: the wait was ended from outside. */
export type Permit = 'granted' | 'backed_off' | 'full' | 'dismissed';

interface Waiter {
  readonly request: PermitRequest;
  readonly untilMs: number;
  readonly answer: (permit: Permit) => void;
  isGone: boolean;
}

export interface PermitRequest {
  readonly domain: string;
  readonly recipients: number;
  readonly patienceMs: number;
}

/** The wait of a connection for its permit. */
export interface PermitWait {
  dismiss: Cancel;
}

/**
 * One group of mail hosts as seen from one egress: connections, pace and refusals, decided by the product's own rules. All
 * processes wait in one line here; in the product each has a line of its own, and looks every half second at most.
 */
export class Lane {
  /** Recipients that were granted. */
  granted = 0;
  private readonly rate: Rate;
  private readonly leases: number[] = [];
  private readonly ofDomains = new Map<string, Refusals>();
  private ofProvider: Refusals = NO_REFUSALS;
  private paceMs = 0;
  private readonly waiters: Waiter[] = [];
  private waitingFor: 'rate' | 'connections' | null = null;
  private wake: (() => void) | null = null;
  private isServing = false;

  constructor(
    private readonly clock: Clock,
    private readonly limits: Limits,
    private readonly backOff: BackOffOptions,
  ) {
    this.rate = rateOf(limits.recipientsPerMinute);
  }

  /** Most recipients of a permit. */
  get atOnce(): number {
    return burstOf(this.rate);
  }

  /** Asks for a connection and its first recipients; waits in line while patience lasts. */
  *acquire(request: PermitRequest, wait: PermitWait): Process<Permit> {
    const untilMs = this.clock.nowMs + request.patienceMs;
    if (!this.isServing) {
      const decision = this.decide(request, this.limits.maxConnections);
      if (decision.kind === 'granted') return this.grant();
      if (decision.kind === 'backed_off') return 'backed_off';
      if (decision.for === 'rate' && decision.waitMs >= request.patienceMs) return 'full';
      return yield* this.inLine(request, untilMs, wait, decision);
    }
    return yield* this.inLine(request, untilMs, wait, null);
  }

  /** Asks for further recipients on an open connection; never waits. */
  more(domain: string, recipients: number): 'granted' | 'backed_off' | 'full' {
    if (this.waitingFor === 'rate') return 'full';
    const { kind } = this.decide({ domain, recipients, patienceMs: 0 }, Number.POSITIVE_INFINITY);
    return kind === 'wait' ? 'full' : kind;
  }

  /** What the pace allows of a request; null where it is not what the request waits for. */
  paceFor(domain: string, recipients: number): Pace | null {
    const decision = this.decision({ domain, recipients, patienceMs: 0 }, Number.POSITIVE_INFINITY);
    const waits = decision.kind === 'wait' && decision.for === 'rate' && this.waitingFor !== 'rate';
    return waits ? paceFor(recipients, this.rate, decision.waitMs) : null;
  }

  /** Ends a permit. @param isConnection it was for a connection, not for further recipients */
  release(domain: string, outcome: SessionsOutcome, isConnection: boolean): void {
    const { nowMs } = this.clock;
    if (outcome.kind !== 'no_answer') {
      const before = { provider: recall(this.ofProvider, nowMs), domain: this.refusalsOf(domain) };
      const after = afterOutcome(before, outcome, this.backOff, nowMs);
      this.ofProvider = after.provider;
      if (after.domain === NO_REFUSALS) this.ofDomains.delete(domain);
      else this.ofDomains.set(domain, after.domain);
    }
    if (!isConnection) return;
    this.leases.pop();
    if (this.waitingFor === 'connections') this.wake?.();
  }

  private decide(request: PermitRequest, maxConnections: number): PermitDecision {
    const decision = this.decision(request, maxConnections);
    if (decision.kind !== 'granted') return decision;
    this.paceMs = decision.paceMs;
    this.granted += request.recipients;
    return decision;
  }

  private decision({ domain, recipients }: PermitRequest, maxConnections: number): PermitDecision {
    const { nowMs } = this.clock;
    const pausedUntilMs = Math.max(recall(this.ofProvider, nowMs).untilMs, this.refusalsOf(domain).untilMs);
    return decidePermit(
      { leases: this.leases, paceMs: this.paceMs, pausedUntilMs },
      { recipients, maxConnections, rate: this.rate },
      nowMs,
    );
  }

  private refusalsOf(domain: string): Refusals {
    return recall(this.ofDomains.get(domain), this.clock.nowMs);
  }

  private grant(): 'granted' {
    this.leases.push(Number.POSITIVE_INFINITY);
    return 'granted';
  }

  private *inLine(
    request: PermitRequest,
    untilMs: number,
    wait: PermitWait,
    last: PermitDecision | null,
  ): Process<Permit> {
    let permit: Permit = 'full';
    yield (resume) => {
      const leave = (answer: Permit): void => {
        if (waiter.isGone) return;
        waiter.isGone = true;
        cancel();
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        permit = answer;
        resume();
        this.wake?.();
      };
      const waiter: Waiter = { request, untilMs, answer: leave, isGone: false };
      const cancel = this.clock.after(request.patienceMs, () => leave('full'));
      wait.dismiss = () => leave('dismissed');
      this.waiters.push(waiter);
      if (!this.isServing) this.clock.start(this.serve(last));
    };
    wait.dismiss = () => undefined;
    return permit;
  }

  private *serve(last: PermitDecision | null): Process {
    this.isServing = true;
    for (let next = last; this.waiters.length > 0; next = null) {
      if (next?.kind === 'wait') yield* this.pause(next.for, next.waitMs);
      const [first] = this.waiters;
      if (first === undefined) break;
      const decision = this.decide(first.request, this.limits.maxConnections);
      if (decision.kind === 'wait') {
        const tooLate = decision.for === 'rate' && decision.waitMs >= first.untilMs - this.clock.nowMs;
        if (tooLate) first.answer('full');
        else yield* this.pause(decision.for, decision.waitMs);
        continue;
      }
      if (decision.kind === 'granted') this.grant();
      first.answer(decision.kind);
    }
    this.isServing = false;
  }

  /** Until the pace allows it, a connection is free, or the first in line has gone. */
  private *pause(reason: 'rate' | 'connections', waitMs: number): Process {
    this.waitingFor = reason;
    yield (resume) => {
      const cancel = reason === 'rate' ? this.clock.after(waitMs, () => this.wake?.()) : (): void => undefined;
      this.wake = () => {
        this.wake = null;
        cancel();
        resume();
      };
    };
    this.waitingFor = null;
  }
}
