import { Injectable } from '@nestjs/common';
import { creditsOf, fitsAllowance, freeVerifiesLeft, type Funds } from '../funds.js';
import type { FundsReading } from './funds-reader.js';
import { canPay, payablePrefix, type Means, type Prefix } from './payable-prefix.js';
import type { Price } from '../price.js';

/** A call that asks for a hold. */
export interface HoldRequest {
  readonly accountId: string;
  /** Of the whole call. */
  readonly price: Price;
  /** Credits of each entry, where a beginning of the call will do; null: all of it or nothing. */
  readonly unitPrices: readonly number[] | null;
  /** Of the account's plan. */
  readonly freeVerifiesPerMonth: number | null;
  readonly reading: FundsReading;
  /** How long it may wait for calls before it, milliseconds. */
  readonly maxWaitMs: number;
}

export type HoldOutcome =
  /**
   * The call holds what it may cost until it calls `release`. `left`: the account's funds after its charge; null: it was not
   * charged. `prefix`: the part of the call that the hold is for, the whole or a beginning.
   */
  | { readonly kind: 'held'; readonly prefix: Prefix; release(left: Funds | null): void }
  /** `shortfall`: credits that are missing, at least 1. */
  | { readonly kind: 'insufficient'; readonly shortfall: number };

/** Holds of one account in this process, and calls that wait for one. */
interface Account {
  funds: Funds;
  asOf: number;
  /** Held. */
  credits: number;
  /** Held. */
  freeVerifies: number;
  /** How many. */
  holds: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly request: HoldRequest;
  readonly resolve: (outcome: HoldOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** Calls of one account that may wait at once; any more are refused. */
const MAX_WAITING = 1000;

/**
 * Credits and free verifies that calls hold before they do any work (decisions 4.5): one credit starts one probe, not a
 * thousand. A call that its account could pay for if others were not under way waits until they end. The charge alone decides
 * what is paid; a hold only spares work.
 */
@Injectable()
export class CreditHolds {
  private readonly accounts = new Map<string, Account>();

  acquire(request: HoldRequest): Promise<HoldOutcome> {
    const account = this.accountOf(request);
    this.serveWaiting(account);
    // Nobody passes those who wait: a call for many addresses would never find enough left.
    const decision = account.waiting.length > 0 ? 'wait' : decide(account, request);
    if (decision === 'wait' && account.waiting.length < MAX_WAITING) return this.wait(account, request);
    return Promise.resolve(isPrefix(decision) ? this.hold(account, request, decision) : this.refuse(account, request));
  }

  private accountOf({ accountId, reading: { funds, asOf } }: HoldRequest): Account {
    const known = this.accounts.get(accountId);
    if (known === undefined) {
      const account = { funds, asOf, credits: 0, freeVerifies: 0, holds: 0, waiting: [] };
      this.accounts.set(accountId, account);
      return account;
    }
    // A reading from before a charge that has ended knows nothing new.
    if (asOf > known.asOf) Object.assign(known, { funds, asOf });
    return known;
  }

  private hold(account: Account, { accountId, freeVerifiesPerMonth }: HoldRequest, prefix: Prefix): HoldOutcome {
    const { price } = prefix;
    const byAllowance = fitsAllowance(price, meansLeft(account, freeVerifiesPerMonth).freeVerifies);
    const held = byAllowance
      ? { credits: 0, freeVerifies: price.addresses }
      : { credits: price.credits, freeVerifies: 0 };
    account.credits += held.credits;
    account.freeVerifies += held.freeVerifies;
    account.holds++;
    let isHeld = true;
    const release = (left: Funds | null): void => {
      if (!isHeld) return;
      isHeld = false;
      account.credits -= held.credits;
      account.freeVerifies -= held.freeVerifies;
      account.holds--;
      if (left !== null) Object.assign(account, { funds: left, asOf: performance.now() });
      this.serveWaiting(account);
      this.forgetIfIdle(accountId, account);
    };
    return { kind: 'held', prefix, release };
  }

  private refuse(account: Account, request: HoldRequest): HoldOutcome {
    this.forgetIfIdle(request.accountId, account);
    return { kind: 'insufficient', shortfall: shortfall(account, request) };
  }

  private wait(account: Account, request: HoldRequest): Promise<HoldOutcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const position = account.waiting.indexOf(waiting);
        account.waiting.splice(position, 1);
        // What is there belongs to the first: it may not be enough for all it wanted.
        const prefix = position === 0 ? payable(request, meansLeft(account, request.freeVerifiesPerMonth)) : null;
        const outcome = prefix && this.hold(account, request, prefix);
        this.serveWaiting(account);
        resolve(outcome ?? this.refuse(account, request));
      }, request.maxWaitMs).unref();
      const waiting = { request, resolve, timer };
      account.waiting.push(waiting);
    });
  }

  /** Decides again on calls that wait, in their order, up to the first that still has to. */
  private serveWaiting(account: Account): void {
    for (let [first] = account.waiting; first !== undefined; [first] = account.waiting) {
      const { request, resolve, timer } = first;
      const decision = decide(account, request);
      if (decision === 'wait') break;
      account.waiting.shift();
      clearTimeout(timer);
      resolve(
        isPrefix(decision)
          ? this.hold(account, request, decision)
          : { kind: 'insufficient', shortfall: shortfall(account, request) },
      );
    }
  }

  private forgetIfIdle(accountId: string, { holds, waiting }: Account): void {
    if (holds === 0 && waiting.length === 0) this.accounts.delete(accountId);
  }
}

type Decision = Prefix | 'wait' | 'refuse';

/** A call waits if it would get more should those under way pay nothing. */
function decide(account: Account, request: HoldRequest): Decision {
  const { freeVerifiesPerMonth } = request;
  const now = payable(request, meansLeft(account, freeVerifiesPerMonth));
  if (account.holds > 0) {
    const alone = payable(request, meansOf(account.funds, freeVerifiesPerMonth));
    if ((alone?.entries ?? 0) > (now?.entries ?? 0)) return 'wait';
  }
  return now ?? 'refuse';
}

function isPrefix(decision: Decision): decision is Prefix {
  return typeof decision === 'object';
}

/** What of a call can be paid; null: nothing that would be of use. */
function payable({ price, unitPrices }: HoldRequest, means: Means): Prefix | null {
  if (unitPrices !== null) return payablePrefix(unitPrices, means);
  return canPay(means, price) ? { entries: price.addresses, price } : null;
}

function meansOf(funds: Funds, freeVerifiesPerMonth: number | null): Means {
  return { credits: creditsOf(funds), freeVerifies: freeVerifiesLeft(funds, freeVerifiesPerMonth) };
}

/** Without what calls under way hold. */
function meansLeft({ funds, credits, freeVerifies }: Account, freeVerifiesPerMonth: number | null): Means {
  const means = meansOf(funds, freeVerifiesPerMonth);
  return { credits: means.credits - credits, freeVerifies: means.freeVerifies - freeVerifies };
}

/** What calls under way hold counts as spent: for a call that has waited in vain it is. */
function shortfall({ funds, credits }: Account, { price }: HoldRequest): number {
  return Math.max(1, price.credits - Math.max(0, creditsOf(funds) - credits));
}
