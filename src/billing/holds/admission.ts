import { creditsOf, fitsAllowance, freeVerifiesLeft, type Funds } from '../funds.js';
import type { FundsReading } from './funds-reader.js';
import { canPay, payablePrefix, type Means, type Prefix } from './payable-prefix.js';
import type { Price } from '../price.js';

/** A call that asks to be let in. */
export interface Asking {
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

export type Admitted =
  /**
   * Until `leave` is called the call holds what it may cost. `left`: the account's funds after its charge. `prefix`: what
   * of it was let in, the whole or a beginning.
   */
  | { readonly kind: 'admitted'; readonly prefix: Prefix; leave(left: Funds | null): void }
  /** `shortfall`: credits that are missing, at least 1. */
  | { readonly kind: 'insufficient'; readonly shortfall: number };

/** What one account's calls in this process hold and wait for. */
interface Account {
  funds: Funds;
  asOf: number;
  credits: number;
  freeVerifies: number;
  inside: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly asking: Asking;
  readonly resolve: (admitted: Admitted) => void;
  readonly timer: NodeJS.Timeout;
}

/** Calls of one account that may wait at once: any more are told that the money is spoken for. */
const MAX_WAITING = 1000;

/**
 * Lets calls of an account begin only as far as it could pay for all of them, as last read (decisions 4.5): one credit
 * starts one probe, not a thousand. A call that the account could pay for if others were not under way waits for what
 * becomes of them. What is paid is decided by the charge alone; this only spares work.
 */
export class Admission {
  private readonly accounts = new Map<string, Account>();

  enter(asking: Asking): Promise<Admitted> {
    const account = this.accountOf(asking);
    this.letIn(account);
    // Nobody passes those who wait: a call for many addresses would never find enough left.
    const verdict = account.waiting.length > 0 ? 'wait' : judge(account, asking);
    if (verdict === 'wait' && account.waiting.length < MAX_WAITING) return this.wait(account, asking);
    return Promise.resolve(isPrefix(verdict) ? this.admit(account, asking, verdict) : this.refuse(account, asking));
  }

  private accountOf({ accountId, reading: { funds, asOf } }: Asking): Account {
    const known = this.accounts.get(accountId);
    if (known === undefined) {
      const account = { funds, asOf, credits: 0, freeVerifies: 0, inside: 0, waiting: [] };
      this.accounts.set(accountId, account);
      return account;
    }
    // A reading from before a charge that has ended knows nothing new.
    if (asOf > known.asOf) Object.assign(known, { funds, asOf });
    return known;
  }

  private admit(account: Account, { accountId, freeVerifiesPerMonth }: Asking, prefix: Prefix): Admitted {
    const { price } = prefix;
    const byAllowance = fitsAllowance(price, meansLeft(account, freeVerifiesPerMonth).freeVerifies);
    const held = byAllowance
      ? { credits: 0, freeVerifies: price.addresses }
      : { credits: price.credits, freeVerifies: 0 };
    account.credits += held.credits;
    account.freeVerifies += held.freeVerifies;
    account.inside++;
    let inside = true;
    const leave = (left: Funds | null): void => {
      if (!inside) return;
      inside = false;
      account.credits -= held.credits;
      account.freeVerifies -= held.freeVerifies;
      account.inside--;
      if (left !== null) Object.assign(account, { funds: left, asOf: performance.now() });
      this.letIn(account);
      this.forgetIfIdle(accountId, account);
    };
    return { kind: 'admitted', prefix, leave };
  }

  private refuse(account: Account, asking: Asking): Admitted {
    this.forgetIfIdle(asking.accountId, account);
    return { kind: 'insufficient', shortfall: shortfall(account, asking) };
  }

  private wait(account: Account, asking: Asking): Promise<Admitted> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const place = account.waiting.indexOf(waiting);
        account.waiting.splice(place, 1);
        // What is there belongs to the first: it may not be enough for all it wanted.
        const prefix = place === 0 ? payable(asking, meansLeft(account, asking.freeVerifiesPerMonth)) : null;
        const admitted = prefix && this.admit(account, asking, prefix);
        this.letIn(account);
        resolve(admitted ?? this.refuse(account, asking));
      }, asking.maxWaitMs).unref();
      const waiting = { asking, resolve, timer };
      account.waiting.push(waiting);
    });
  }

  /** Judges those who wait again, the first first, as far as they come. */
  private letIn(account: Account): void {
    for (let [first] = account.waiting; first !== undefined; [first] = account.waiting) {
      const { asking, resolve, timer } = first;
      const verdict = judge(account, asking);
      if (verdict === 'wait') break;
      account.waiting.shift();
      clearTimeout(timer);
      resolve(
        isPrefix(verdict)
          ? this.admit(account, asking, verdict)
          : { kind: 'insufficient', shortfall: shortfall(account, asking) },
      );
    }
  }

  private forgetIfIdle(accountId: string, { inside, waiting }: Account): void {
    if (inside === 0 && waiting.length === 0) this.accounts.delete(accountId);
  }
}

type Verdict = Prefix | 'wait' | 'refuse';

/** A call is let in with all that it could get, now or when those under way have paid nothing. */
function judge(account: Account, asking: Asking): Verdict {
  const { freeVerifiesPerMonth } = asking;
  const now = payable(asking, meansLeft(account, freeVerifiesPerMonth));
  if (account.inside > 0) {
    const alone = payable(asking, meansOf(account.funds, freeVerifiesPerMonth));
    if ((alone?.entries ?? 0) > (now?.entries ?? 0)) return 'wait';
  }
  return now ?? 'refuse';
}

function isPrefix(verdict: Verdict): verdict is Prefix {
  return typeof verdict === 'object';
}

/** What of a call can be paid; null: nothing that would be of use. */
function payable({ price, unitPrices }: Asking, means: Means): Prefix | null {
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
function shortfall({ funds, credits }: Account, { price }: Asking): number {
  return Math.max(1, price.credits - Math.max(0, creditsOf(funds) - credits));
}
