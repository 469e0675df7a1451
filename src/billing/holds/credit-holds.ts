import { Injectable } from '@nestjs/common';
import { creditsOf, fitsAllowance, freeVerifiesLeft, type Funds } from '../funds.js';
import type { FundsReading } from './funds-reader.js';
import { canPay, payablePrefix, type Means, type Prefix } from './payable-prefix.js';
import type { Price } from '../price.js';

/** A call that asks for a hold. */
export interface HoldRequest {
  readonly accountId: string;
  /** Price of the whole call. */
  readonly price: Price;
  /** Credits of each entry, if the call accepts a prefix; null: all or nothing. */
  readonly unitPrices: readonly number[] | null;
  /** Free verifies per month of the account's plan. */
  readonly freeVerifiesPerMonth: number | null;
  readonly reading: FundsReading;
  /** Longest wait for earlier calls, in milliseconds. */
  readonly maxWaitMs: number;
}

export type HoldOutcome =
  /**
   * The hold is granted until the call runs `release`. `left`: the account's funds after the charge; null: not charged.
   * `prefix`: the part of the call that the hold covers.
   */
  | { readonly kind: 'held'; readonly prefix: Prefix; release(left: Funds | null): void }
  /** `shortfall`: credits missing, at least 1. */
  | { readonly kind: 'insufficient'; readonly shortfall: number };

/** Holds of one account in this process, and calls that wait for one. */
interface Account {
  funds: Funds;
  asOf: number;
  /** Credits held. */
  credits: number;
  /** Free verifies held. */
  freeVerifies: number;
  /** Number of holds. */
  holds: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly request: HoldRequest;
  readonly resolve: (outcome: HoldOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

/** Waiting calls per account; more are refused. */
const MAX_WAITING = 1000;

/**
 * Holds credits and free verifies before calls do any work (decisions 4.5), so that one credit cannot start a thousand
 * probes. A call waits if its account could pay for it once running calls end. Holds only save work: the charge alone
 * decides what is paid.
 */
@Injectable()
export class CreditHolds {
  private readonly accounts = new Map<string, Account>();

  acquire(request: HoldRequest): Promise<HoldOutcome> {
    const account = this.accountOf(request);
    this.serveWaiting(account);
    // First come, first served: a call for many addresses would otherwise never find enough left.
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
    // Ignore a reading taken before the last charge ended.
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
        // The rest is reserved for the first waiting call, even if it is less than the call asked for.
        const prefix = position === 0 ? payable(request, meansLeft(account, request.freeVerifiesPerMonth)) : null;
        // Before the calls behind it hold anything: that is not what this one lacks.
        const outcome = prefix === null ? this.refuse(account, request) : this.hold(account, request, prefix);
        this.serveWaiting(account);
        resolve(outcome);
      }, request.maxWaitMs).unref();
      const waiting = { request, resolve, timer };
      account.waiting.push(waiting);
    });
  }

  /** Decides waiting calls again in order, up to the first that must keep waiting. */
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

/** A call waits if it would get more once running calls end without a charge. */
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

/** The part of a call that can be paid; null: none. */
function payable({ price, unitPrices }: HoldRequest, means: Means): Prefix | null {
  if (unitPrices !== null) return payablePrefix(unitPrices, means);
  return canPay(means, price) ? { entries: price.addresses, price } : null;
}

function meansOf(funds: Funds, freeVerifiesPerMonth: number | null): Means {
  return { credits: creditsOf(funds), freeVerifies: freeVerifiesLeft(funds, freeVerifiesPerMonth) };
}

/** Funds minus the holds of running calls. */
function meansLeft({ funds, credits, freeVerifies }: Account, freeVerifiesPerMonth: number | null): Means {
  const means = meansOf(funds, freeVerifiesPerMonth);
  return { credits: means.credits - credits, freeVerifies: means.freeVerifies - freeVerifies };
}

/** Counts holds as spent: for a call whose wait has timed out they are. */
function shortfall({ funds, credits }: Account, { price }: HoldRequest): number {
  return Math.max(1, price.credits - Math.max(0, creditsOf(funds) - credits));
}
