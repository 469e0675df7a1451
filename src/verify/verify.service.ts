import type { MeteredResponse } from '../billing/metering/metered-response.js';
import type { CreditHold } from '../billing/holds/credit-hold.js';
import { FREE, priceOfOne, unitPrice, type Price } from '../billing/price.js';
import type { Address, ParsedAddress } from '../engine/address/address.js';
import { parseAddress } from '../engine/address/parse-address.js';
import type { Knowledge } from '../engine/assess.js';
import type { Check, CheckFacts } from '../engine/check.js';
import { Deadline } from '../engine/deadline.js';
import { NOTHING_KNOWN } from '../engine/domain-knowledge.js';
import type { VerificationEngine } from '../engine/engine.js';
import type { Mode } from '../engine/verdict/result.js';
import type { AppError } from '../platform/errors/app-error.js';
import type { CachedCheck } from './cache/cached-check.js';
import { CallTime, inTime } from './call-time.js';
import type { DnsFactsKeeper } from './lookup/dns-facts-keeper.js';
import { judge, judgeCached, type Judged } from './lookup/judge.js';
import type { Asked, Known, KnownFacts } from './lookup/known-facts.js';
import type { LiveChecks, LiveOutcome } from './lookup/live-checks.js';
import type { PendingProbesRepository } from './probes/pending-probes.repository.js';
import type { ProbeQueue } from './probes/probe-queue.js';
import { PENDING_RETRY_AFTER_SECONDS } from './pending-retry-after.js';
import { verifyUnavailable } from './verify-unavailable.js';
import type { Freshness } from './verify.response.js';

export interface SingleOptions extends Asked {
  /** Whole budget of the call, milliseconds. */
  readonly deadlineMs: number;
  /** Answer at once what DNS can tell, and leave a probe to the worker. */
  readonly async: boolean;
  /**
   * Milliseconds after which what is not settled is answered as pending, while the check goes on; null: wait for it. For
   * callers that decide by themselves when they get no answer (decisions 9.3).
   */
  readonly pendingAfterMs: number | null;
  /** Goes along to the worker, for its log. */
  readonly requestId?: string;
}

export interface VerifyServiceParts {
  readonly host: {
    readonly engine: Pick<VerificationEngine, 'check'>;
    readonly knowledge: Knowledge;
    readonly wayOutClosed: boolean;
  };
  readonly facts: Pick<KnownFacts, 'lookOne'>;
  readonly live: Pick<LiveChecks, 'run'>;
  readonly keeper: Pick<DnsFactsKeeper, 'keep'>;
  readonly pending: Pick<PendingProbesRepository, 'add' | 'dropUnpaid'>;
  readonly queue: Pick<ProbeQueue, 'add'>;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** What failed for good is not tried again before (decisions 4.1). */
const FAILED_RETRY_AFTER_SECONDS = 60;
const RETRY = { 'Retry-After': String(PENDING_RETRY_AFTER_SECONDS) };

const NO_FACTS: CheckFacts = { mailHosts: null, probe: null };

const UNPAID = 'a probe that nobody paid for is made all the same';

/** A call whose answer is not known yet. */
interface Call {
  readonly address: Address;
  readonly parsed: ParsedAddress;
  readonly options: SingleOptions;
  readonly known: Known;
  readonly hold: Pick<CreditHold, 'canPay' | 'reserve' | 'callerIsGone'>;
  readonly time: CallTime;
}

/** The same, and how far it came without a probe. */
interface Open extends Call {
  readonly mode: Exclude<Mode, 'quick'>;
  /** Pending, as far as the DNS lets it be judged. */
  readonly judged: Judged;
  readonly price: Price;
}

type Ended = Exclude<LiveOutcome, { kind: 'under_way' }>;

/** Verifies one address: from what is known, from DNS, and where only that can tell by asking its mail host. */
export class VerifyService {
  /** Checks that go on after their call was answered. */
  private readonly background = new Set<Promise<unknown>>();

  constructor(private readonly parts: VerifyServiceParts) {}

  /**
   * One address, for a price that the account can pay.
   * @throws AppError `insufficient_credits` before anybody is asked, and `verify_unavailable` when a failure of our own
   *   kept the check from a verdict: it costs nothing
   */
  async single(
    email: string,
    options: SingleOptions,
    hold: Pick<CreditHold, 'canPay' | 'reserve' | 'callerIsGone'>,
  ): Promise<MeteredResponse> {
    const time = new CallTime(options.deadlineMs, options.pendingAfterMs);
    const parsed = parseAddress(email);
    if (!parsed.ok) return this.noAddress(parsed, options.mode);
    const { address } = parsed;
    const known = await this.parts.facts.lookOne(address, options);
    if (known.cached !== null) return response(this.recorded(known.cached, parsed, known, options), options.mode);
    return this.find({ address, parsed, options, known, hold, time });
  }

  /** Waits until no check goes on in the background. */
  async close(): Promise<void> {
    await Promise.allSettled(this.background);
  }

  private noAddress(parsed: ParsedAddress, mode: Mode): MeteredResponse {
    const check: Check = { parsed, mode, deferred: false, facts: NO_FACTS, checkedAt: new Date() };
    return { status: 200, body: judge(check, this.parts.host.knowledge, NOTHING_KNOWN, 'fresh').result, price: FREE };
  }

  private async find(call: Call): Promise<MeteredResponse> {
    const { address, options, known, hold, time } = call;
    const { mode } = options;
    const highest = priceAt(known.domain.catchAll, mode);
    // What a host that is known to accept everybody costs, the DNS tells: asked before somebody is told that money is short.
    const admitted = mode !== 'enhanced' || known.domain.catchAll || (await hold.canPay(highest));
    const admit = (price: Price): Promise<void> => hold.reserve(price, time.patienceMs() / 2);
    if (admitted) await admit(highest);
    const asking = this.checkDns(call);
    const check = await this.patiently(asking, call).catch(async (error: unknown) => {
      if (!admitted) await admit(highest);
      throw error;
    });
    const judged = judge(check ?? unanswered(call), this.parts.host.knowledge, known.domain, freshnessOf(known));
    // Nobody pays for more than is known to be due.
    const price = priceAt(judged.knownCatchAll || check === null, mode);
    if (judged.result.reason !== 'verification_pending') {
      const found = { status: 200, body: judged.result, price };
      if (check === null || mode === 'quick') return found;
      // What nobody pays for adds nothing to the record.
      const { keeper } = this.parts;
      return { ...found, after: (paid) => (paid ? keeper.keep([{ address, hash: known.hash, check }]) : undefined) };
    }
    if (!admitted) await admit(price);
    // Its DNS is slower than its caller; what it says will be at hand for the next one.
    if (mode === 'quick') return { status: 200, body: judged.result, price, headers: RETRY };
    // Nobody is asked for a caller who has hung up: its charge finds that out, too.
    if (hold.callerIsGone()) return { status: 200, body: judged.result, price };
    const open: Open = { ...call, mode, judged, price };
    if (options.async) return this.defer(open);
    if (check !== null) return this.await(open, check);
    const running = asking.then((late) => this.run(open, late));
    this.keepInMind(running);
    return this.answerPending(open, running);
  }

  /** To DNS depth. */
  private async checkDns({ address: { text }, options: { mode }, known: { domain }, time }: Call): Promise<Check> {
    const deadline = Deadline.after(time.leftMs());
    try {
      const outcome = await this.parts.host.engine.check(text, { mode, deadline, deferProbe: true, domain });
      if (outcome.kind === 'unavailable') throw this.unavailable(outcome.why);
      return outcome.check;
    } finally {
      deadline.release();
    }
  }

  /** Waits for the mail host's answer, or for as long as the caller does. */
  private async await(open: Open, atDnsDepth: Check): Promise<MeteredResponse> {
    const running = this.run(open, atDnsDepth);
    const outcome = await this.patiently(running, open);
    if (outcome === null) return this.answerPending(open, running);
    return outcome.kind === 'under_way' ? this.deferBegun(open) : this.settled(open, outcome);
  }

  private run(open: Open, atDnsDepth: Check): Promise<LiveOutcome> {
    const { address, mode, options, known, time } = open;
    const asked = { account: options.account, mode, maxAgeSeconds: options.maxAgeSeconds };
    return this.parts.live.run({ address, asked, known, atDnsDepth, budgetMs: time.leftMs() });
  }

  /** @returns null when the caller waits no longer: the work goes on */
  private patiently<T>(work: Promise<T>, { options, time }: Call): Promise<T | null> {
    if (options.pendingAfterMs === null) return work;
    this.keepInMind(work);
    return inTime(work, time.patienceMs());
  }

  private settled({ parsed, mode, known, price }: Open, outcome: Ended): MeteredResponse {
    const { knowledge } = this.parts.host;
    if (outcome.kind === 'unavailable') throw this.unavailable(outcome.why);
    const freshness = outcome.kind === 'recorded' && !outcome.joined ? 'cached_recent' : freshnessOf(known);
    const { result } =
      outcome.kind === 'checked'
        ? judge(outcome.check, knowledge, known.domain, freshness)
        : judgeCached(outcome.cached, { parsed, mode }, knowledge, known.domain, freshness);
    return { status: 200, body: result, price, probed: wasAsked(outcome) };
  }

  /** Time is up for the call, not for the check: should that fail, the worker takes it up. */
  private async answerPending(open: Open, running: Promise<LiveOutcome>): Promise<MeteredResponse> {
    let outcome: Ended | null = null;
    void running.then((end) => (outcome = end.kind === 'under_way' ? null : end)).catch(() => undefined);
    const pending = await this.deferBegun(open, open.time.leftMs());
    if (outcome === null) return pending;
    // It ended while its row was written: nobody waits for that.
    void pending.after?.(false);
    return this.settled(open, outcome);
  }

  /** A probe has begun, of the call itself or of another one that it joined. */
  private async deferBegun(open: Open, delayMs = 0): Promise<MeteredResponse> {
    return { ...(await this.defer(open, delayMs)), probed: true };
  }

  /** @param delayMs before the worker looks at it */
  private async defer(open: Open, delayMs = 0): Promise<MeteredResponse> {
    const { address, mode, known, judged, price, options } = open;
    const { account: accountId, requestId } = options;
    const { pending, queue } = this.parts;
    const { hash, lastCheckedAt: newerThan } = known;
    if (known.pending?.kind === 'failed') {
      throw this.unavailable('the deferred probe failed a moment ago', FAILED_RETRY_AFTER_SECONDS);
    }
    const probe = { hash, urgency: 'single', accountId } as const;
    const [row] = await pending.add([{ ...probe, address, mode, newerThan }]);
    if (row === undefined) throw new Error('a pending probe was not added');
    return {
      status: 200,
      body: judged.result,
      price,
      headers: RETRY,
      waiting: [{ waitsOn: row.id, part: '0', credits: price.credits }],
      after: (paid) => {
        if (paid) queue.add([{ ...probe, delayMs, ...(requestId !== undefined && { requestId }) }]);
        else void pending.dropUnpaid([row.id]).catch((error: unknown) => this.parts.onTrouble(UNPAID, error));
      },
    };
  }

  private recorded(cached: CachedCheck, parsed: ParsedAddress, { domain }: Known, { mode }: Asked): Judged {
    return judgeCached(cached, { parsed, mode }, this.parts.host.knowledge, domain, 'cached_recent');
  }

  private unavailable(why: string, retryAfterSeconds?: number): AppError {
    const { wayOutClosed } = this.parts.host;
    return verifyUnavailable(why, { wayOutClosed, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
  }

  private keepInMind(running: Promise<unknown>): void {
    this.background.add(running);
    void running.catch(() => undefined).finally(() => this.background.delete(running));
  }
}

/** What can be said of an address before its DNS has spoken. */
function unanswered({ parsed, options: { mode } }: Call): Check {
  return { parsed, mode, deferred: true, facts: NO_FACTS, checkedAt: new Date() };
}

/** Whether a mail host was asked on behalf of the call, or of another one that it joined. */
function wasAsked(outcome: Exclude<Ended, { kind: 'unavailable' }>): boolean {
  if (outcome.kind === 'recorded') return true;
  const { probe } = outcome.check.facts;
  return probe !== null && probe.ending !== 'backed_off';
}

function priceAt(knownCatchAll: boolean, mode: Mode): Price {
  return priceOfOne(unitPrice({ isAddress: true, mode, knownCatchAll }));
}

function response({ result, knownCatchAll }: Judged, mode: Mode): MeteredResponse {
  return { status: 200, body: result, price: priceAt(knownCatchAll, mode) };
}

function freshnessOf({ stale }: Known): Freshness {
  return stale ? 'cached_stale_refreshed' : 'fresh';
}
