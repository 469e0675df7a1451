import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from '../billing/deliveries.js';
import type { Terms } from '../billing/place.js';
import { FREE, priceOf, unitPrice, type Price } from '../billing/price.js';
import type { Address, ParsedAddress } from '../engine/address/address.js';
import { parseAddress } from '../engine/address/parse-address.js';
import type { Knowledge } from '../engine/assess.js';
import type { Check } from '../engine/check.js';
import { Deadline } from '../engine/deadline.js';
import { NOTHING_KNOWN } from '../engine/domain-knowledge.js';
import type { VerificationEngine } from '../engine/engine.js';
import type { Mode } from '../engine/verdict/result.js';
import type { CachedCheck } from './cache/cached-check.js';
import type { DnsFactsKeeper } from './dns-facts-keeper.js';
import { judge, judgeCached, type Judged } from './judge.js';
import type { Asked, Known, KnownFacts } from './known-facts.js';
import type { LiveChecks, LiveOutcome } from './live-checks.js';
import type { PendingProbesRepository } from './pending/pending-probes.repository.js';
import type { ProbeQueue } from './pending/probe-queue.js';
import { PENDING_RETRY_AFTER_SECONDS } from './pending-retry-after.js';
import { verifyUnavailable } from './verify-unavailable.js';
import type { Freshness } from './verify.response.js';

export interface SingleOptions extends Asked {
  /** Whole budget of the call, milliseconds. */
  readonly deadlineMs: number;
  /** Answer at once what DNS can tell, and leave a probe to the worker. */
  readonly async: boolean;
  /**
   * Milliseconds after which what is not settled is answered as pending, while the check goes on; null: wait for it. Ready
   * for callers that decide by themselves when they get no answer (decisions 9.3).
   */
  readonly pendingAfterMs: number | null;
}

export interface VerifyServiceParts {
  readonly host: { readonly engine: Pick<VerificationEngine, 'check'>; readonly knowledge: Knowledge };
  readonly facts: Pick<KnownFacts, 'lookOne'>;
  readonly live: Pick<LiveChecks, 'run'>;
  readonly keeper: Pick<DnsFactsKeeper, 'keep'>;
  readonly pending: Pick<PendingProbesRepository, 'add' | 'dropUnpaid'>;
  readonly queue: Pick<ProbeQueue, 'add'>;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** What failed for good is not tried again before (decisions 4.1). */
const FAILED_RETRY_AFTER_SECONDS = 60;

const UNPAID = 'a probe that nobody paid for is made all the same';

/** An address on its way, and how far it came without a probe. */
interface Open {
  readonly address: Address;
  readonly parsed: ParsedAddress;
  readonly mode: Exclude<Mode, 'quick'>;
  readonly known: Known;
  /** Pending, as the DNS let it be judged. */
  readonly judged: Judged;
  readonly price: Price;
}

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
  async single(email: string, options: SingleOptions, terms: Terms): Promise<Delivery> {
    const began = performance.now();
    const left = (): number => Math.max(1, options.deadlineMs - (performance.now() - began));
    const parsed = parseAddress(email);
    if (!parsed.ok) return this.noAddress(parsed, options.mode);
    const { address } = parsed;
    const { mode } = options;
    const known = await this.parts.facts.lookOne(address, options);
    if (known.cached !== null) return delivery(this.recorded(known.cached, parsed, known, options), mode);

    const highest = priceOf([unitPrice({ isAddress: true, mode, knownCatchAll: known.domain.catchAll })]);
    // What a host that is known to accept everybody costs, the DNS tells: asked before somebody is told that money is short.
    const admitted = mode !== 'enhanced' || known.domain.catchAll || (await terms.canPay(highest));
    if (admitted) await terms.admit(highest, left() / 2);
    const check = await this.checkDns(address, options, known, left()).catch(async (error: unknown) => {
      if (!admitted) await terms.admit(highest, left() / 2);
      throw error;
    });
    const judged = judge(check, this.parts.host.knowledge, known.domain, freshnessOf(known));
    if (judged.result.reason !== 'verification_pending') {
      if (mode !== 'quick') await this.parts.keeper.keep([{ address, hash: known.hash, check }]);
      return delivery(judged, mode);
    }
    const price = priceAt(judged, mode);
    if (!admitted) await terms.admit(price, left() / 2);
    const open: Open = { address, parsed, mode: mode as Open['mode'], known, judged, price };
    return options.async ? this.defer(open) : this.await(open, options, left(), began);
  }

  /** Waits until no check goes on in the background. */
  async close(): Promise<void> {
    await Promise.allSettled(this.background);
  }

  private noAddress(parsed: ParsedAddress, mode: Mode): Delivery {
    const check: Check = {
      parsed,
      mode,
      deferred: false,
      facts: { mailHosts: null, probe: null },
      checkedAt: new Date(),
    };
    return { status: 200, body: judge(check, this.parts.host.knowledge, NOTHING_KNOWN, 'fresh').result, price: FREE };
  }

  /** To DNS depth. */
  private async checkDns({ text }: Address, { mode }: Asked, { domain }: Known, budgetMs: number): Promise<Check> {
    const deadline = Deadline.after(budgetMs);
    try {
      const outcome = await this.parts.host.engine.check(text, { mode, deadline, deferProbe: true, domain });
      if (outcome.kind === 'unavailable') throw verifyUnavailable(outcome.why);
      return outcome.check;
    } finally {
      deadline.release();
    }
  }

  /** Waits for the mail host's answer, or for as long as the call may wait. */
  private async await(open: Open, options: SingleOptions, budgetMs: number, began: number): Promise<Delivery> {
    const { address, mode, known } = open;
    const asked = { mode, maxAgeSeconds: options.maxAgeSeconds };
    const running = this.parts.live.run({ address, asked, known, budgetMs });
    if (options.pendingAfterMs === null) return this.settled(open, await running);
    this.keepInMind(running);
    const waitMs = Math.max(0, options.pendingAfterMs - (performance.now() - began));
    const first = await Promise.race([running, delay(waitMs, null)]);
    return first === null ? this.answerPending(open, running, budgetMs) : this.settled(open, first);
  }

  private settled({ parsed, mode, known, price }: Open, outcome: LiveOutcome): Delivery {
    const { knowledge } = this.parts.host;
    if (outcome.kind === 'unavailable') throw verifyUnavailable(outcome.why);
    const freshness = outcome.kind === 'recorded' && !outcome.joined ? 'cached_recent' : freshnessOf(known);
    const { result } =
      outcome.kind === 'checked'
        ? judge(outcome.check, knowledge, known.domain, freshness)
        : judgeCached(outcome.cached, { parsed, mode }, knowledge, known.domain, freshness);
    return { status: 200, body: result, price };
  }

  /** Time is up for the call, not for the check: should that fail, the worker takes it up. */
  private async answerPending(open: Open, running: Promise<LiveOutcome>, budgetMs: number): Promise<Delivery> {
    let outcome: LiveOutcome | null = null;
    void running.then((ended) => (outcome = ended)).catch(() => undefined);
    const pending = await this.defer(open, budgetMs);
    if (outcome === null) return pending;
    // It ended while its row was written: nobody waits for that.
    pending.after?.(false);
    return this.settled(open, outcome);
  }

  /** @param delayMs before the worker looks at it */
  private async defer(open: Open, delayMs = 0): Promise<Delivery> {
    const { address, mode, known, judged, price } = open;
    const { pending, queue } = this.parts;
    const { hash, lastCheckedAt: newerThan } = known;
    if (known.pending?.kind === 'failed') {
      throw verifyUnavailable('the deferred probe failed a moment ago', FAILED_RETRY_AFTER_SECONDS);
    }
    const [row] = await pending.add([{ hash, address, mode, urgency: 'single', newerThan }]);
    if (row === undefined) throw new Error('a pending probe was not added');
    return {
      status: 200,
      body: judged.result,
      price,
      headers: { 'Retry-After': String(PENDING_RETRY_AFTER_SECONDS) },
      waiting: [{ waitsOn: row.id, part: '0', credits: price.credits }],
      after: (paid) => {
        if (paid) queue.add([{ hash, urgency: 'single', delayMs }]);
        else void pending.dropUnpaid([row.id]).catch((error: unknown) => this.parts.onTrouble(UNPAID, error));
      },
    };
  }

  private recorded(cached: CachedCheck, parsed: ParsedAddress, { domain }: Known, { mode }: Asked): Judged {
    return judgeCached(cached, { parsed, mode }, this.parts.host.knowledge, domain, 'cached_recent');
  }

  private keepInMind(running: Promise<unknown>): void {
    this.background.add(running);
    void running.catch(() => undefined).finally(() => this.background.delete(running));
  }
}

function priceAt({ knownCatchAll }: Judged, mode: Mode): Price {
  return priceOf([unitPrice({ isAddress: true, mode, knownCatchAll })]);
}

function delivery(judged: Judged, mode: Mode): Delivery {
  return { status: 200, body: judged.result, price: priceAt(judged, mode) };
}

function freshnessOf({ stale }: Known): Freshness {
  return stale ? 'cached_stale_refreshed' : 'fresh';
}
