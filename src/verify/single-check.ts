import type { CreditHold } from '../billing/holds/credit-hold.js';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import { priceOfOne, unitPrice, type Price } from '../billing/price.js';
import type { Address } from '../engine/address/address.js';
import type { Check } from '../engine/check.js';
import { Deadline } from '../engine/deadline.js';
import type { Mode } from '../engine/verdict/result.js';
import type { AppError } from '../platform/errors/app-error.js';
import { catchAllEvidence } from './cache/catch-all-evidence.js';
import { inTime, type CallTime } from './call-time.js';
import type { EngineProvider } from './engine/engine-provider.js';
import type { DnsFactsRecorder } from './lookup/dns-facts-recorder.js';
import { judge, judgeCached, type Judged, type KnownDomain } from './lookup/judge.js';
import type { Asked, Known } from './lookup/check-lookup.service.js';
import type { SynchronousCheckService, SynchronousCheckOutcome } from './lookup/synchronous-check.service.js';
import { PENDING_RETRY_AFTER_SECONDS } from './pending-retry-after.js';
import type { AskedProbes } from './probes/asked-probes.js';
import { verifyUnavailable } from './verify-unavailable.js';
import type { Freshness } from './verify.response.js';

export interface SingleOptions extends Asked {
  /** Whole budget of the call, milliseconds. */
  readonly deadlineMs: number;
  /** Answer at once from DNS, and leave a probe to the worker. */
  readonly async: boolean;
  /**
   * Milliseconds after which an unsettled call is answered as pending while the check goes on; null: wait for the
   * check. For callers that decide themselves if they get no answer (decisions 9.3).
   */
  readonly pendingAfterMs: number | null;
  /** Passed to the worker, for its log. */
  readonly requestId?: string;
}

export interface SingleCheckParts {
  readonly engineProvider: EngineProvider;
  readonly synchronousChecks: SynchronousCheckService;
  readonly dnsFacts: DnsFactsRecorder;
  readonly probes: AskedProbes;
  /** Registers work that goes on after its call was answered. */
  trackBackgroundWork(work: Promise<unknown>): void;
}

/** An address that no cached check answers, and its caller. */
export interface SingleCall {
  readonly address: Address;
  readonly options: SingleOptions;
  readonly known: Known;
  readonly hold: Pick<CreditHold, 'readAhead' | 'canPay' | 'reserve' | 'callerIsGone'>;
  /** Started when the call arrived. */
  readonly time: CallTime;
}

/** The pending answer, which only a probe can improve. */
interface Unsettled {
  readonly mode: Exclude<Mode, 'quick'>;
  /** The pending result, judged by the DNS facts. */
  readonly judged: Judged;
  readonly price: Price;
}

type Ended = Exclude<SynchronousCheckOutcome, { kind: 'under_way' }>;

/** A failed probe is not retried before this time (decisions 4.1). */
const FAILED_RETRY_AFTER_SECONDS = 60;
const RETRY = { 'Retry-After': String(PENDING_RETRY_AFTER_SECONDS) };

/** Checks the address of one call: by DNS, and by asking its mail host if DNS does not settle it. */
export class SingleCheck {
  constructor(
    private readonly parts: SingleCheckParts,
    private readonly call: SingleCall,
  ) {}

  /**
   * In order: reserve the highest price, ask the DNS, and if that does not settle the address, probe it or leave the
   * probe to the worker.
   * @throws AppError `insufficient_credits`, `verify_unavailable`
   */
  async response(): Promise<MeteredResponse> {
    const { address, options, known, hold } = this.call;
    const { mode } = options;
    const highest = priceAt(known.domain.catchAll, mode);
    // DNS shows whether a host accepts everybody, which costs less: look before refusing the call for lack of credits.
    const affordable = mode !== 'enhanced' || known.domain.catchAll || (await hold.canPay(highest));
    if (affordable && highest.addresses > 0) await this.reserve(highest);
    const asking = this.checkDns();
    const waiting = this.patiently(asking);
    const check = await (affordable ? waiting : this.refusedFirst(waiting, highest));
    const judged = this.judge(check ?? unanswered(this.call));
    // Charge no more than is known to be due.
    const price = priceAt(judged.knownCatchAll || check === null, mode);
    const response = { status: 200, body: judged.result, price };
    if (judged.result.reason !== 'verification_pending') {
      if (check === null || mode === 'quick') return response;
      // An unpaid call stores nothing.
      const { dnsFacts } = this.parts;
      return {
        ...response,
        after: (paid) => (paid ? dnsFacts.record([{ address, hash: known.hash, check }]) : undefined),
      };
    }
    if (!affordable) await this.reserve(price);
    // The DNS was slower than the caller waits; its answer will be cached for the next call.
    if (mode === 'quick') return { ...response, headers: RETRY };
    // Do not probe for a caller who has hung up; the charge detects that too.
    if (hold.callerIsGone()) return response;
    const unsettled: Unsettled = { mode, judged, price };
    if (options.async) return this.defer(unsettled);
    if (check !== null) return this.probe(unsettled, check);
    const running = asking.then((late) => this.askMailHost(mode, late));
    this.parts.trackBackgroundWork(running);
    return this.answerPending(unsettled, running);
  }

  /** A call that its account cannot pay is refused for that, rather than for a failure of ours. */
  private refusedFirst<T>(work: Promise<T>, price: Price): Promise<T> {
    return work.catch(async (error: unknown) => {
      await this.reserve(price);
      throw error;
    });
  }

  private reserve(price: Price): Promise<void> {
    return this.call.hold.reserve(price, this.call.time.patienceMs() / 2);
  }

  /** Checks to DNS depth. */
  private async checkDns(): Promise<Check> {
    const { address, options, known } = this.call;
    const deadline = Deadline.after(this.call.time.leftMs());
    try {
      const { account: requester, mode } = options;
      const asked = { mode, deadline, deferProbe: true, domain: known.domain, requester };
      const outcome = await this.parts.engineProvider.engine.check(address.text, asked);
      if (outcome.kind === 'unavailable') throw this.unavailable(outcome.why);
      return outcome.check;
    } finally {
      deadline.release();
    }
  }

  /** Waits for the mail host's answer, for at most as long as the caller waits. */
  private async probe(unsettled: Unsettled, atDnsDepth: Check): Promise<MeteredResponse> {
    const running = this.askMailHost(unsettled.mode, atDnsDepth);
    const outcome = await this.patiently(running);
    if (outcome === null) return this.answerPending(unsettled, running);
    return outcome.kind === 'under_way' ? this.deferBegun(unsettled) : this.settled(unsettled, outcome);
  }

  private async askMailHost(mode: Unsettled['mode'], atDnsDepth: Check): Promise<SynchronousCheckOutcome> {
    const { parts } = this;
    const { address, options, known, time } = this.call;
    const asked = { account: options.account, mode, maxAgeSeconds: options.maxAgeSeconds };
    const outcome = await parts.synchronousChecks.check({ address, asked, known, atDnsDepth, budgetMs: time.leftMs() });
    if (outcome.kind === 'checked' && outcome.recording !== undefined) parts.trackBackgroundWork(outcome.recording);
    return outcome;
  }

  /** @returns null when the caller stops waiting: the work goes on */
  private patiently<T>(work: Promise<T>): Promise<T | null> {
    if (this.call.options.pendingAfterMs === null) return work;
    this.parts.trackBackgroundWork(work);
    return inTime(work, this.call.time.patienceMs());
  }

  private settled({ price, mode }: Unsettled, outcome: Ended): MeteredResponse {
    if (outcome.kind === 'unavailable') throw this.unavailable(outcome.why);
    const { address, known } = this.call;
    const { result } =
      outcome.kind === 'checked'
        ? this.judge(outcome.check, outcome.domain)
        : judgeCached(
            outcome.cached,
            { parsed: { ok: true, address }, mode },
            this.parts.engineProvider.knowledge,
            domainAfter(known.domain, outcome),
            outcome.joined ? freshnessOf(known) : 'cached_recent',
          );
    const response = { status: 200, body: result, price, probed: wasAsked(outcome) };
    if (outcome.kind !== 'checked' || outcome.recording === undefined) return response;
    const { recording } = outcome;
    // A caller with its own deadline does not wait for the cache: another call for the address waits in its place.
    return this.call.options.pendingAfterMs === null ? { ...response, after: () => recording } : response;
  }

  /** The call's time is up, but the check goes on: the worker takes over if it fails. */
  private async answerPending(
    unsettled: Unsettled,
    running: Promise<SynchronousCheckOutcome>,
  ): Promise<MeteredResponse> {
    let outcome: Ended | null = null;
    void running.then((end) => (outcome = end.kind === 'under_way' ? null : end)).catch(() => undefined);
    const pending = await this.deferBegun(unsettled, this.call.time.leftMs());
    if (outcome === null) return pending;
    // The check ended while its row was written: drop the row in the background.
    void pending.after?.(false);
    return this.settled(unsettled, outcome);
  }

  /** Defers a probe that has begun, in this call or in another that it joined. */
  private async deferBegun(unsettled: Unsettled, delayMs = 0): Promise<MeteredResponse> {
    return { ...(await this.defer(unsettled, delayMs)), probed: true };
  }

  /** @param delayMs delay before the worker starts */
  private async defer({ mode, judged, price }: Unsettled, delayMs = 0): Promise<MeteredResponse> {
    const { address, options, known } = this.call;
    const { account: accountId, requestId } = options;
    const { hash, lastCheckedAt: newerThan } = known;
    const { probes } = this.parts;
    if (known.pending?.kind === 'failed') {
      throw this.unavailable('the deferred probe failed a moment ago', FAILED_RETRY_AFTER_SECONDS);
    }
    const probe = { hash, urgency: 'single', accountId } as const;
    const [row] = await probes.add([{ ...probe, address, mode, newerThan }]);
    if (row === undefined) throw new Error('a pending probe was not added');
    return {
      status: 200,
      body: judged.result,
      price,
      headers: RETRY,
      waiting: [{ waitsOn: row.id, part: '0', credits: price.credits, requestId }],
      after: (paid) => {
        if (paid === false) return probes.drop([row.id]);
        probes.queue([{ id: row.id, ...probe, delayMs, ...(requestId !== undefined && { requestId }) }]);
      },
    };
  }

  private judge(check: Check, domain = this.call.known.domain): Judged {
    return judge(check, this.parts.engineProvider.knowledge, domain, freshnessOf(this.call.known));
  }

  private unavailable(why: string, retryAfterSeconds?: number): AppError {
    const { egressClosed } = this.parts.engineProvider;
    return verifyUnavailable(why, { egressClosed, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
  }
}

/** The price of one address. */
export function priceAt(knownCatchAll: boolean, mode: Mode): Price {
  return priceOfOne(unitPrice({ mode, knownCatchAll }));
}

/** The check of an address whose DNS has not answered. */
function unanswered({ address, options: { mode } }: SingleCall): Check {
  const facts = { mailHosts: null, probe: null };
  return { parsed: { ok: true, address }, mode, deferred: true, facts, checkedAt: new Date() };
}

/** Whether a mail host was asked, for this call or for another that it joined. */
function wasAsked(outcome: Exclude<Ended, { kind: 'unavailable' }>): boolean {
  if (outcome.kind === 'recorded') return true;
  const { probe } = outcome.check.facts;
  return probe !== null && probe.ending !== 'backed_off';
}

function freshnessOf({ stale }: Known): Freshness {
  return stale ? 'cached_stale_refreshed' : 'fresh';
}

/** Another's check of the address may have found out whether its domain accepts everybody. */
function domainAfter(domain: KnownDomain, { cached, joined }: Ended & { kind: 'recorded' }): KnownDomain {
  const evidence = joined ? catchAllEvidence(cached.facts) : null;
  return evidence === null ? domain : { ...domain, catchAll: evidence === 'catch_all' };
}
