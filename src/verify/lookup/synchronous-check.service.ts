import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Address } from '../../engine/address/address.js';
import type { Check } from '../../engine/check.js';
import { Deadline } from '../../engine/deadline.js';
import type { VerificationEngine } from '../../engine/engine.js';
import { factsSoFar } from '../../engine/smtp/facts-so-far.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { inTime } from '../call-time.js';
import { EngineProvider } from '../engine/engine-provider.js';
import type { Leader } from '../single-flight/join-outcome.js';
import { SingleFlight } from '../single-flight/single-flight.js';
import { CheckLookupService, type Asked, type Known } from './check-lookup.service.js';
import type { KnownDomain } from './judge.js';
import { CheckRecorder } from '../probes/check-recorder.js';
import { PendingProbesRepository } from '../probes/pending-probes.repository.js';
import { SmtpProbeProducer } from '../probes/smtp-probe.queue.js';

/** An address that only a mail host can settle, for a caller who waits. */
export interface SynchronousCheckRequest {
  readonly address: Address;
  readonly asked: Asked & { readonly mode: 'standard' | 'enhanced' };
  /** The look-up when the call came. */
  readonly known: Known;
  /** The DNS facts found since. */
  readonly atDnsDepth: Check;
  /** Milliseconds from now. */
  readonly budgetMs: number;
}

export type SynchronousCheckOutcome =
  /**
   * A complete check, or the stage that another caller's check had reached when time was up. `recording` resolves when
   * the check is in the cache, if it belongs there; it never rejects. `domain`: what settles it was found since the call
   * came.
   */
  | {
      readonly kind: 'checked';
      readonly check: Check;
      readonly recording?: Promise<unknown>;
      readonly domain?: KnownDomain;
    }
  /** Another caller's check completed meanwhile, or an earlier result is the best answer left. */
  | { readonly kind: 'recorded'; readonly cached: CachedCheck; readonly joined: boolean }
  /** Time is up; another caller's check of the address is under way and has no facts yet. */
  | { readonly kind: 'under_way' }
  | { readonly kind: 'unavailable'; readonly why: string };

/** A waiter may get the leader's result this long after the leader's deadline. */
const COMPLETION_GRACE_MS = 300;
/** A step that is given all the time left may end this long before the deadline's own clock expires. */
const CLOCK_SLACK_MS = 50;
/** How often to poll for a check that the worker recorded. */
const LOOK_EVERY_MS = 100;
const NOTHING_STORED = Promise.resolve(false);

/** Checks while a caller waits: one at a time per address across all processes (decisions 6.8, 6.9). */
@Injectable()
export class SynchronousCheckService {
  private readonly logger = new Logger('Verify');
  private readonly engine: Pick<VerificationEngine, 'check'>;
  /** False: the worker probes, and the call waits for it (`PROBE_IN_API`). */
  private readonly probesHere: boolean;

  constructor(
    { engine }: EngineProvider,
    private readonly flights: SingleFlight,
    private readonly facts: CheckLookupService,
    private readonly recorder: CheckRecorder,
    private readonly pending: PendingProbesRepository,
    private readonly queue: SmtpProbeProducer,
    { probes }: AppConfig,
  ) {
    this.engine = engine;
    this.probesHere = probes.here;
  }

  /** Rejects only if the database does. */
  async check(request: SynchronousCheckRequest): Promise<SynchronousCheckOutcome> {
    const deadline = Deadline.after(request.budgetMs);
    try {
      return await (this.probesHere ? this.probe(request, deadline) : this.leaveToWorker(request, deadline));
    } finally {
      deadline.release();
    }
  }

  private async probe(request: SynchronousCheckRequest, deadline: Deadline): Promise<SynchronousCheckOutcome> {
    const { asked, known } = request;
    const waitDeadline = Deadline.after(deadline.remainingMs() + COMPLETION_GRACE_MS);
    try {
      for (;;) {
        const flight = await this.flights.join(known.hash, asked.mode, waitDeadline);
        const leads = flight.kind === 'leader';
        const newCheck = leads && !flight.recheck ? null : await this.newCheck(request);
        if (newCheck !== null) {
          if (leads) void flight.complete(true);
          return { kind: 'recorded', cached: newCheck, joined: true };
        }
        if (leads && !deadline.expired) return await this.lead(request, deadline, flight);
        if (leads) void flight.complete(false);
        // The completed result was not stored, or is not deep enough: lead now, if there is time.
        if (flight.kind === 'timed_out' || deadline.expired) return await this.soFar(request);
      }
    } finally {
      waitDeadline.release();
    }
  }

  private async lead(
    request: SynchronousCheckRequest,
    deadline: Deadline,
    flight: Leader,
  ): Promise<SynchronousCheckOutcome> {
    const { address, asked, known } = request;
    let recording: Promise<boolean> = NOTHING_STORED;
    try {
      const { domain, pending } = known;
      const egress = pending?.egress ?? null;
      const { account: requester, mode } = asked;
      const onStage = flight.reach;
      const outcome = await this.engine.check(address.text, {
        mode,
        deadline,
        domain,
        egress,
        requester,
        onStage,
      });
      if (outcome.kind === 'unavailable') return (await this.shownMeanwhile(request)) ?? outcome;
      // Not awaited: the call is charged meanwhile.
      recording = this.record(request, outcome.check, deadline.remainingMs() <= CLOCK_SLACK_MS);
      return { ...outcome, recording };
    } finally {
      // Waiters are notified while the call goes on, and a lease that is never released expires.
      void recording.then((stored) => flight.complete(stored));
    }
  }

  /**
   * Without an answer, as while our limits for the mail host are full: a check of another address may have shown since the
   * call came that the domain accepts everybody.
   */
  private async shownMeanwhile(request: SynchronousCheckRequest): Promise<SynchronousCheckOutcome | null> {
    const { address, asked, budgetMs } = request;
    const maxAgeSeconds = Math.ceil(budgetMs / 1000);
    const { domain } = await this.facts.lookUpOne(address, { ...asked, maxAgeSeconds });
    return shownBy(domain, request);
  }

  /** Never rejects. @returns whether the result is in the cache; if not, each waiter checks for itself */
  private async record(
    { address, asked: { account: accountId }, known: { hash } }: SynchronousCheckRequest,
    check: Check,
    deadlinePassed: boolean,
  ): Promise<boolean> {
    try {
      return await this.recorder.record({ address, hash, check, accountId, deadlinePassed });
    } catch (error) {
      this.logger.error({ err: error }, 'the result of a check could not be recorded');
      return false;
    }
  }

  private async leaveToWorker(request: SynchronousCheckRequest, deadline: Deadline): Promise<SynchronousCheckOutcome> {
    const { address, asked, known } = request;
    const { hash, lastCheckedAt: newerThan } = known;
    const probe = { hash, urgency: 'single', accountId: asked.account } as const;
    await this.pending.addProbes([{ ...probe, address, mode: asked.mode, newerThan }]);
    this.queue.queueProbes([probe]);
    for (;;) {
      await delay(Math.min(LOOK_EVERY_MS, deadline.remainingMs()));
      const seen = await this.look(request);
      const newCheck = newCheckIn(seen, known);
      if (newCheck !== null) return { kind: 'recorded', cached: newCheck, joined: true };
      if (seen.pending?.kind === 'failed') return { kind: 'unavailable', why: 'the worker could not complete it' };
      const shown = seen.pending === null ? shownBy(seen.domain, request) : null;
      if (shown !== null) return this.spared(request, shown);
      const comesTooLate = (seen.pending?.dueInMs ?? 0) > deadline.remainingMs();
      if (deadline.expired || comesTooLate) return await this.soFar(request);
    }
  }

  /**
   * The worker's probe is over: it was recorded since the last look, or spared, because another address had shown that
   * the domain accepts everybody.
   */
  private async spared(
    request: SynchronousCheckRequest,
    shown: SynchronousCheckOutcome,
  ): Promise<SynchronousCheckOutcome> {
    const cached = await this.newCheck(request);
    return cached === null ? shown : { kind: 'recorded', cached, joined: true };
  }

  /** Time is up, or will be before the next attempt, and no new check was recorded: answer from the stage of another caller's check, if it has one. */
  private async soFar({
    known: { hash, lastResort: transient },
    atDnsDepth,
  }: SynchronousCheckRequest): Promise<SynchronousCheckOutcome> {
    const stage = await inTime(this.flights.stageOf(hash), COMPLETION_GRACE_MS);
    if (stage !== null) {
      const facts = { ...atDnsDepth.facts, probe: factsSoFar(stage) };
      return { kind: 'checked', check: { ...atDnsDepth, deferred: false, facts, checkedAt: new Date() } };
    }
    return transient === null ? { kind: 'under_way' } : { kind: 'recorded', cached: transient, joined: false };
  }

  private async newCheck(request: SynchronousCheckRequest): Promise<CachedCheck | null> {
    return newCheckIn(await this.look(request), request.known);
  }

  private look({ address, asked }: SynchronousCheckRequest): Promise<Known> {
    return this.facts.lookUpOne(address, { ...asked, maxAgeSeconds: null });
  }
}

/** What settles a call without a probe: the domain was found to accept everybody since the call came. Null: it was not. */
function shownBy(domain: KnownDomain, { known, atDnsDepth }: SynchronousCheckRequest): SynchronousCheckOutcome | null {
  return domain.catchAll && !known.domain.catchAll ? { kind: 'checked', check: atDnsDepth, domain } : null;
}

/** The check recorded since the call came. A transient one counts if there is no better. */
function newCheckIn({ cached, lastResort: transient }: Known, { lastCheckedAt }: Known): CachedCheck | null {
  const latest = cached ?? transient;
  return latest !== null && (lastCheckedAt === null || latest.checkedAt > lastCheckedAt) ? latest : null;
}
