import { Injectable, Logger, Optional } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { CheckOutcome } from '../../engine/check.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import { retryLostConnection } from '../../platform/database/retry-lost-connection.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { CheckCacheRepository } from '../cache/check-cache.repository.js';
import { isTransient } from '../cache/life.js';
import { serves } from '../cache/serves.js';
import type { Leader } from '../single-flight/join-outcome.js';
import { SingleFlight } from '../single-flight/single-flight.js';
import { EngineProvider } from '../engine/engine-provider.js';
import { ProbeEndingsRepository, type RecordedCheck } from './probe-endings.repository.js';
import { ProbeMetrics } from './probe-metrics.js';
import { ProbeSlots, type ProbeSlot } from './probe-slots.js';
import { ProbeAttemptsRepository, type ProbeAttempt } from './probe-attempts.repository.js';
import { SlowDomains } from './slow-domains.js';

/** How long an attempt waits for another check of the same address, which keeps other attempts from preparing. */
const JOIN_MS = 250;
/**
 * How long an attempt leads its single-flight while it waits for a permit to ask, which keeps others from the address.
 */
const HOLD_MS = 100;
/** How long an attempt waits at a host that is at its limit, which keeps others from their hosts. */
const PATIENCE_MS = 1000;
/**
 * Delay before the next attempt when our limits were full: a share of the time waited so far, so that many waiting
 * probes do not crowd out others.
 */
const BUSY_MS = { part: 0.2, least: 2000, most: 60_000, jitter: 0.5 };
/** After the first and the second failure on our side; the third is final. */
const RETRY_AFTER_MS = [2000, 10_000];
const RECORD_AGAIN_MS = [250, 1000, 3000];
const SLOW_AFTER_MS = 2000;
const MAX_BEGUN = 5;
/** Reads of a row that keeps changing. */
const MAX_LOOKS = 10;
const LOOK_AGAIN_MS = 1000;
const PAUSE_MS = 25;

type Failure = Extract<CheckOutcome, { kind: 'unavailable' }>;

/** So many probes wait for slow hosts that no slow permit is left. */
const CROWDED: Failure = { kind: 'unavailable', why: 'others wait for slow hosts', busy: true };

/** Runs deferred probes, one attempt at a time (decisions 6.8). */
@Injectable()
export class ProbeService {
  private readonly logger = new Logger('Probes');
  private readonly slow = new SlowDomains();

  /**
   * @param random between 0 and 1
   * @param slowAfterMs a check that takes longer moves to the slow stage
   */
  constructor(
    private readonly slots: ProbeSlots,
    private readonly attempts: ProbeAttemptsRepository,
    private readonly endings: ProbeEndingsRepository,
    private readonly cache: CheckCacheRepository,
    private readonly flights: SingleFlight,
    private readonly engine: EngineProvider,
    private readonly config: AppConfig,
    private readonly metrics: ProbeMetrics,
    @Optional() private readonly random: () => number = Math.random,
    @Optional() private readonly slowAfterMs: number = SLOW_AFTER_MS,
  ) {}

  /**
   * Runs an attempt at the pending probe of an address, if there is one.
   * @param stop aborted when the process stops: cancels the probe and leaves it to other workers
   */
  async runAttempt(hash: string, stop: AbortSignal): Promise<JobEnding> {
    const slot = this.slots.open();
    try {
      for (let looks = 0; looks < MAX_LOOKS; looks++) {
        if (stop.aborted || !(await slot.prepare())) return again(0);
        const attempt = await this.attempts.findAttempt(hash);
        if (attempt === null) return OVER;
        if (attempt.dueInMs > 0) return again(attempt.dueInMs);
        const ending = await this.join(attempt, slot, stop);
        if (ending !== null) return ending;
        if (looks > 0) await delay(PAUSE_MS);
      }
      return again(LOOK_AGAIN_MS);
    } finally {
      slot.release();
    }
  }

  /** @returns null when the row must be read again */
  private async join(attempt: ProbeAttempt, slot: ProbeSlot, stop: AbortSignal): Promise<JobEnding | null> {
    const flight = await withDeadline(JOIN_MS, stop, (deadline) => {
      return this.flights.join(attempt.hash, attempt.mode, deadline);
    });
    if (flight.kind === 'timed_out') return again(stop.aborted ? 0 : LOOK_AGAIN_MS);
    // The other leader has recorded its effect on the row.
    if (flight.kind === 'completed') return null;
    return this.lead(attempt, flight, slot, stop);
  }

  private async lead(
    attempt: ProbeAttempt,
    flight: Leader,
    slot: ProbeSlot,
    stop: AbortSignal,
  ): Promise<JobEnding | null> {
    try {
      if (attempt.email === null) return await this.fail(attempt, 'its address cannot be opened: the key is gone');
      if (attempt.begun >= MAX_BEGUN) {
        return await this.fail(attempt, `${attempt.begun} probes were begun and none came back`);
      }
      const answer = await this.findAnswer(attempt);
      if (answer !== null) {
        await this.endings.settle(attempt.id, answer);
        return OVER;
      }
      if (!(await this.attempts.beginAttempt(attempt))) return null;
      const giving = new AbortController();
      if (this.slow.has(attempt.domain)) {
        if (!slot.moveToSlow(accountOf(attempt), () => giving.abort())) return await this.postpone(attempt, CROWDED);
        return await this.check(attempt, attempt.email, flight, slot, { stop, giving });
      }
      if (await slot.ask(HOLD_MS)) return await this.check(attempt, attempt.email, flight, slot, { stop, giving });
      await this.attempts.cancelAttempt(attempt.id);
    } finally {
      await flight.complete(false);
    }
    // The address is free while this attempt waits, so another check may settle it.
    await slot.ask();
    return null;
  }

  /** The check that was recorded during the call that requested this probe; null: none was. */
  private async findAnswer({ hash, mode, newerThan, lastCheckedAt }: ProbeAttempt): Promise<CachedCheck | null> {
    if (lastCheckedAt === null || (newerThan !== null && lastCheckedAt <= newerThan)) return null;
    const cached = (await this.cache.findByHash([hash])).get(hash);
    if (cached === undefined) return null;
    return serves(cached, { mode, maxAgeSeconds: null, now: new Date() }) === 'serves' ? cached : null;
  }

  private async check(
    attempt: ProbeAttempt,
    email: string,
    flight: Leader,
    slot: ProbeSlot,
    { stop, giving }: Interruptions,
  ): Promise<JobEnding | null> {
    const { mode, state, hash, catchAll } = attempt;
    const { engine } = this.engine;
    const { deadlineMs } = this.config.probes;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.makeWay(attempt, slot, giving);
    }, this.slowAfterMs);
    const interrupted = AbortSignal.any([stop, giving.signal]);
    const { outcome, deadlinePassed } = await withDeadline(deadlineMs, interrupted, async (deadline) => ({
      outcome: await engine.check(email, {
        mode,
        deadline,
        egress: state === 'greylisted' ? attempt.egress : null,
        domain: { catchAll },
        patienceMs: PATIENCE_MS,
        requester: accountOf(attempt),
        onStage: flight.reach,
      }),
      deadlinePassed: deadline.expired,
    })).finally(() => clearTimeout(timer));
    slot.release();
    if (!interrupted.aborted && !isSlow) this.slow.forget(attempt.domain);
    if (wasCancelled(outcome, stop)) return this.giveUp(attempt);
    if (wasCancelled(outcome, giving.signal)) return this.postpone(attempt, CROWDED);
    if (outcome.kind === 'unavailable') return this.postpone(attempt, outcome);
    const { parsed, facts, checkedAt } = outcome.check;
    if (!parsed.ok) return this.fail(attempt, 'what was sealed is no address');
    const check: RecordedCheck = {
      by: state === 'greylisted' ? 'retry' : 'turn',
      address: parsed.address,
      hash,
      mode,
      deferred: false,
      facts,
      checkedAt,
      deadlinePassed,
      probeId: attempt.id,
    };
    // Facts must not be lost, nor the host be asked again, while the database is down for a moment.
    const { transition, stored } = await retryLostConnection(RECORD_AGAIN_MS, () => this.endings.record(check));
    await flight.complete(stored);
    this.metrics.onTurn({ stage: facts.probe?.stage ?? 'none', ending: facts.probe?.ending ?? 'not_needed' });
    if (transition.kind === 'kept') return null;
    return transition.kind === 'retry' ? again(transition.afterMs) : OVER;
  }

  /** Moves a probe that asks for long to the slow stage, so that it does not hold up fast hosts. */
  private makeWay(attempt: ProbeAttempt, slot: ProbeSlot, giving: AbortController): void {
    this.slow.note(attempt.domain);
    if (!slot.moveToSlow(accountOf(attempt), () => giving.abort())) giving.abort();
  }

  private async postpone(attempt: ProbeAttempt, failure: Failure): Promise<JobEnding> {
    const isBusy = failure.busy === true;
    this.metrics.onTurn({ stage: 'none', ending: isBusy ? 'busy' : 'unavailable' });
    // Bounded by the row's `end_by`, an hour after the request.
    if (isBusy) return this.later(attempt, this.busyMs(attempt), false);
    const afterMs = RETRY_AFTER_MS[attempt.failures];
    return afterMs === undefined ? this.fail(attempt, failure.why) : this.later(attempt, afterMs, true);
  }

  private busyMs({ waitedMs }: ProbeAttempt): number {
    const { part, least, most, jitter } = BUSY_MS;
    return Math.min(Math.max(waitedMs * part, least), most) * (1 + this.random() * jitter);
  }

  private async giveUp(attempt: ProbeAttempt): Promise<JobEnding> {
    this.metrics.onTurn({ stage: 'none', ending: 'cancelled' });
    return this.later(attempt, 0, false);
  }

  private async later({ id }: ProbeAttempt, afterMs: number, failed: boolean): Promise<JobEnding> {
    await this.attempts.postpone(id, { afterMs, failed });
    return again(afterMs);
  }

  private async fail({ id }: ProbeAttempt, why: string): Promise<JobEnding> {
    this.logger.warn({ why }, 'a probe ends without a verdict');
    await this.endings.fail(id, why);
    return OVER;
  }
}

/** Reasons to cancel a check. */
interface Interruptions {
  /** The process stops. */
  readonly stop: AbortSignal;
  /** Another account needs its permit. */
  readonly giving: AbortController;
}

function accountOf({ accountId }: ProbeAttempt): string {
  return accountId ?? '';
}

function again(afterMs: number): JobEnding {
  return { kind: 'again', afterMs };
}

/** True if the check was cancelled before it settled anything: its outcome reflects only the lack of time. */
function wasCancelled(outcome: CheckOutcome, stop: AbortSignal): boolean {
  return stop.aborted && (outcome.kind === 'unavailable' || isTransient(outcome.check.facts));
}
