import { Injectable } from '@nestjs/common';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import type { CreditHold } from '../billing/holds/credit-hold.js';
import { priceOf, unitPrice } from '../billing/price.js';
import type { Address } from '../engine/address/address.js';
import { Deadline } from '../engine/deadline.js';
import type { Mode } from '../engine/verdict/result.js';
import { canonicalAddress } from '../engine/address/canonical-address.js';
import { EngineProvider } from './engine/engine-provider.js';
import { readListEntry, type ListEntry } from './batch-entry.js';
import type { BatchEntry } from './verify-batch.response.js';
import { DnsFactsRecorder, type SettledByDns } from './lookup/dns-facts-recorder.js';
import { judge, judgeCached, type Judged } from './lookup/judge.js';
import { CheckLookupService, type Asked, type Known } from './lookup/check-lookup.service.js';
import { AskedProbes } from './probes/asked-probes.js';
import type { WantedProbe } from './probes/pending-probe.js';
import { BATCH_PENDING_RETRY_AFTER_SECONDS } from './pending-retry-after.js';
import type { VerifyResult } from './verify.response.js';

export interface BatchOptions extends Asked {
  /** Whole budget of the call, milliseconds; DNS spends at most this. */
  readonly deadlineMs: number;
  /** Passed to the worker, for its log. */
  readonly requestId?: string;
}

/** The answer for an address without asking its mail host. */
type Answer =
  | { readonly kind: 'judged'; readonly judged: Judged; readonly settled?: SettledByDns }
  /** Only a probe can tell. */
  | { readonly kind: 'pending'; readonly judged: Judged }
  | { readonly kind: 'unavailable' };

/** One mailbox of the call, however often the list repeats it. */
interface Member {
  readonly address: Address;
  readonly known: Known;
  /** A cached check answers at once. */
  answer: Answer | Promise<Answer> | null;
}

/**
 * Verifies a list of addresses from cached checks and DNS; leaves addresses that only a mail host can settle to the
 * worker.
 */
@Injectable()
export class BatchService {
  constructor(
    readonly engineProvider: EngineProvider,
    readonly facts: CheckLookupService,
    readonly dnsFacts: DnsFactsRecorder,
    readonly probes: AskedProbes,
  ) {}

  /**
   * Answers each entry separately, in the order sent. Charges for as many entries as the account can pay (decisions
   * 4.4).
   * @throws AppError `insufficient_credits` if it cannot pay even the first billable entry
   */
  async batch(
    emails: readonly unknown[],
    options: BatchOptions,
    hold: Pick<CreditHold, 'canPay' | 'reservePrefix'>,
  ): Promise<MeteredResponse> {
    const deadline = Deadline.after(options.deadlineMs);
    try {
      return await new BatchRun(this, emails, options, deadline).deliver(hold);
    } finally {
      deadline.release();
    }
  }
}

/** One batch call. */
class BatchRun {
  private readonly entries: readonly ListEntry[];
  /** One per entry; null for an entry that is no address. */
  private members: readonly (Member | null)[] = [];

  constructor(
    private readonly parts: BatchService,
    emails: readonly unknown[],
    private readonly options: BatchOptions,
    private readonly deadline: Deadline,
  ) {
    this.entries = emails.map(readListEntry);
  }

  async deliver(hold: Pick<CreditHold, 'canPay' | 'reservePrefix'>): Promise<MeteredResponse> {
    await this.lookUp();
    const highest = this.members.map((member) => this.highestPrice(member));
    // DNS shows whether a host accepts everybody, which costs less: look before refusing entries for lack of credits.
    const exact = this.options.mode === 'enhanced' && !(await hold.canPay(priceOf(highest)));
    const prices = exact ? await this.pricesByDns() : highest;
    const admitted = await hold.reservePrefix(prices, this.deadline.remainingMs());
    const answers = await this.answersTo(this.members.slice(0, admitted));
    return this.response(answers, await this.orderProbes(answers));
  }

  /** Looks all addresses up at once. */
  private async lookUp(): Promise<void> {
    const places = new Map<string, number>();
    const addresses: Address[] = [];
    const placeOf = this.entries.map((entry) => {
      if (entry.kind === 'no_address') return null;
      const key = canonicalAddress(entry.address);
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, addresses.length);
      return addresses.push(entry.address) - 1;
    });
    const found = await this.parts.facts.lookUp(addresses, this.options);
    const members = found.map((known, i): Member => ({ address: addresses[i]!, known, answer: null }));
    this.members = placeOf.map((hold) => (hold === null ? null : members[hold]!));
  }

  private highestPrice(member: Member | null): number {
    if (member === null) return 0;
    const { catchAll } = member.known.domain;
    return unitPrice({ mode: this.options.mode, knownCatchAll: catchAll });
  }

  private async pricesByDns(): Promise<number[]> {
    const answers = await this.answersTo(this.members);
    return answers.map((answer) => this.price(answer));
  }

  /** The price of the address if nothing fails from here on. */
  private price(answer: Answer | null): number {
    const { mode } = this.options;
    if (answer === null || answer.kind === 'unavailable') return 0;
    return unitPrice({ mode, knownCatchAll: answer.judged.knownCatchAll });
  }

  /** Returns synchronously if all answers are available. */
  private answersTo(members: readonly (Member | null)[]): (Answer | null)[] | Promise<(Answer | null)[]> {
    const answers = members.map((member) => member && (member.answer ??= this.answer(member)));
    const isUnderWay = answers.some((answer) => answer instanceof Promise);
    return isUnderWay ? Promise.all(answers.map(async (answer) => answer)) : (answers as (Answer | null)[]);
  }

  private answer({ address, known }: Member): Answer | Promise<Answer> {
    const { cached, domain } = known;
    if (cached === null) return this.find(address, known);
    const asked = { parsed: { ok: true, address }, mode: this.options.mode } as const;
    return {
      kind: 'judged',
      judged: judgeCached(cached, asked, this.parts.engineProvider.knowledge, domain, 'cached_recent'),
    };
  }

  private async find(address: Address, known: Known): Promise<Answer> {
    const { engineProvider } = this.parts;
    const { account: requester, mode } = this.options;
    const { domain } = known;
    const outcome = await engineProvider.engine.check(address.text, {
      mode,
      deadline: this.deadline,
      deferProbe: true,
      domain,
      requester,
    });
    if (outcome.kind === 'unavailable') return { kind: 'unavailable' };
    const judged = judge(
      outcome.check,
      engineProvider.knowledge,
      domain,
      known.stale ? 'cached_stale_refreshed' : 'fresh',
    );
    if (judged.result.reason === 'verification_pending') {
      return known.pending?.kind === 'failed' ? { kind: 'unavailable' } : { kind: 'pending', judged };
    }
    if (mode === 'quick') return { kind: 'judged', judged };
    return { kind: 'judged', judged, settled: { address, hash: known.hash, check: outcome.check } };
  }

  /** Adds a pending probe for each address that needs one. @returns their ids by address hash */
  private async orderProbes(answers: readonly (Answer | null)[]): Promise<ReadonlyMap<string, string>> {
    const { account: accountId } = this.options;
    const mode = this.options.mode as Exclude<Mode, 'quick'>;
    const wanted = new Map<string, WantedProbe>();
    answers.forEach((answer, i) => {
      const member = this.members[i];
      if (answer?.kind !== 'pending' || !member) return;
      const { address, known } = member;
      const { hash, lastCheckedAt } = known;
      wanted.set(hash, { hash, address, mode, urgency: 'batch', accountId, newerThan: lastCheckedAt });
    });
    if (wanted.size === 0) return new Map();
    const rows = await this.parts.probes.add([...wanted.values()]);
    return new Map(rows.map(({ hash, id }) => [hash, id]));
  }

  /** The response, and how to shorten it if the credits have run out meanwhile. */
  private response(answers: readonly (Answer | null)[], probes: ReadonlyMap<string, string>): MeteredResponse {
    const { requestId } = this.options;
    const unitPrices = answers.map((answer) => this.price(answer));
    const to = (length: number): MeteredResponse => {
      const paid = answers.slice(0, length);
      const results = this.entries.map((entry, i) => this.shown(entry, i < length, answers[i] ?? null));
      const waiting = paid.flatMap((answer, i) => {
        if (answer?.kind !== 'pending') return [];
        const { hash } = this.members[i]!.known;
        return [{ waitsOn: probes.get(hash)!, part: String(i), credits: unitPrices[i]!, hash }];
      });
      return {
        status: 200,
        body: { results },
        price: priceOf(unitPrices.slice(0, length)),
        headers: waiting.length > 0 ? { 'Retry-After': String(BATCH_PENDING_RETRY_AFTER_SECONDS) } : {},
        waiting: waiting.map(({ waitsOn, part, credits }) => ({ waitsOn, part, credits, requestId })),
        after: (isPaid) => {
          this.release(probes, new Set(isPaid === false ? [] : waiting.map(({ hash }) => hash)));
          // An unpaid call stores nothing.
          return isPaid ? this.parts.dnsFacts.record(settledOf(paid)) : undefined;
        },
        shorten: { unitPrices: unitPrices.slice(0, length), to },
      };
    };
    return to(answers.length);
  }

  /** Queues probes that are paid, or may be, and drops the others. */
  private release(probes: ReadonlyMap<string, string>, paid: ReadonlySet<string>): void {
    const { account: accountId, requestId } = this.options;
    const asked = { urgency: 'batch', accountId, ...(requestId !== undefined && { requestId }) } as const;
    this.parts.probes.queue([...paid].map((hash) => ({ id: probes.get(hash)!, hash, ...asked })));
    this.parts.probes.drop([...probes].filter(([hash]) => !paid.has(hash)).map(([, id]) => id));
  }

  private shown(entry: ListEntry, isPaid: boolean, answer: Answer | null): BatchEntry {
    if (!isPaid) {
      return { email: entry.kind === 'address' ? entry.sent : entry.error.email, error: 'insufficient_credits' };
    }
    if (entry.kind === 'no_address') return entry.error;
    if (answer === null || answer.kind === 'unavailable') return { email: entry.sent, error: 'verify_unavailable' };
    return this.spelled(answer.judged.result, entry.address.text);
  }

  /** A mailbox is judged once; each entry shows the spelling it was sent in. */
  private spelled(result: VerifyResult, email: string): VerifyResult {
    if (result.email === email) return result;
    const suggested = this.parts.engineProvider.knowledge.suggestCorrection(email);
    return { ...result, email, suggested_correction: suggested };
  }
}

/** The results that DNS settled, once per mailbox. */
function settledOf(answers: readonly (Answer | null)[]): readonly SettledByDns[] {
  return [...new Set(answers)].flatMap((answer) => (answer?.kind === 'judged' ? (answer.settled ?? []) : []));
}
