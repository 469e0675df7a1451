import { added, inMonth, pay, withRefund, type Funds, type Payment } from '../funds.js';
import type { NewEntry } from '../ledger/balance-rows.repository.js';
import type { Month } from '../month.js';
import { partReference, undoReference } from '../references.js';
import type { WaitingRow } from '../pending-charges/waiting-rows.repository.js';
import type { AttemptOutcome, Charge, ChargeAttempt, KeptAnswer } from './charge.js';

/** State read under one transaction's locks. */
export interface LockedState {
  /** The current month, by the database's clock. */
  readonly month: Month;
  /** Balance rows that could be locked, by account. */
  readonly funds: ReadonlyMap<string, Funds>;
  /** Leases of running calls, by record; ended calls are left out. */
  readonly leases: ReadonlyMap<number, Buffer>;
  /** Payments in ledger rows of earlier tries, by reference; negative for refunds. */
  readonly standing: ReadonlyMap<string, Payment>;
}

export interface GroupSettlement {
  /** One for each attempt, in order. */
  readonly outcomes: readonly AttemptOutcome[];
  readonly entries: readonly NewEntry[];
  /** Funds after the group, for the accounts it changed. */
  readonly changed: ReadonlyMap<string, Funds>;
  readonly answers: readonly KeptAnswer[];
  /** Parts of the new charges that wait on deferred probes. */
  readonly waiting: readonly WaitingRow[];
  /** Parts of refunded charges that no longer wait. */
  readonly unawaited: readonly WaitingRow[];
}

/**
 * Decides the outcome of each charge of a group, in order; each sees the funds left by those before it. Pure: the
 * caller holds the locks and writes the result.
 */
export function settleGroup(attempts: readonly ChargeAttempt[], state: LockedState): GroupSettlement {
  const funds = new Map(state.funds);
  const changed = new Map<string, Funds>();
  const entries: NewEntry[] = [];
  const answers: KeptAnswer[] = [];
  const waiting: WaitingRow[] = [];
  const unawaited: WaitingRow[] = [];
  const leave = (accountId: string, left: Funds): void => {
    funds.set(accountId, left);
    changed.set(accountId, left);
  };

  const settleOne = ({ charge, mayStand, intent }: ChargeAttempt): AttemptOutcome => {
    const { accountId, keyId, price, reference, answer } = charge;
    const locked = funds.get(accountId);
    if (locked === undefined) return { kind: 'held' };
    const current = inMonth(locked, state.month);

    const stands = mayStand ? state.standing.get(reference) : undefined;
    if (stands !== undefined) {
      if (intent !== 'undo') return { kind: 'charged', payment: stands, funds: current };
      if (answer === null && !state.standing.has(undoReference(charge))) {
        const { addresses, payment } = notGivenBack(charge, stands, state.standing);
        if (addresses > 0) {
          const undone = { ...price, addresses };
          entries.push({ accountId, kind: 'refund', reference: undoReference(charge), keyId, price: undone, payment });
          leave(accountId, withRefund(current, payment));
        }
        unawaited.push(...waitingRows(charge));
      }
      return { kind: 'withdrawn' };
    }
    if (intent !== 'charge') return { kind: 'withdrawn' };
    if (answer !== null && state.leases.get(answer.recordId)?.equals(answer.lease) !== true) {
      return { kind: 'superseded' };
    }

    const settlement = pay(current, charge.price, charge.freeVerifiesPerMonth);
    if (settlement.kind === 'insufficient') {
      return settlement;
    }
    entries.push({ accountId, kind: 'charge', reference, keyId, price, payment: settlement.payment });
    if (answer !== null) answers.push(answer);
    waiting.push(...waitingRows(charge));
    leave(accountId, settlement.funds);
    return { kind: 'charged', payment: settlement.payment, funds: settlement.funds };
  };

  return { outcomes: attempts.map(settleOne), entries, changed, answers, waiting, unawaited };
}

function waitingRows({ reference, waiting = [] }: Charge): WaitingRow[] {
  return waiting.map((part) => ({ ...part, reference }));
}

/** The part of a standing charge not yet refunded for probes that ended without a verdict. */
function notGivenBack(
  charge: Charge,
  stands: Payment,
  standing: LockedState['standing'],
): { readonly addresses: number; readonly payment: Payment } {
  let { addresses } = charge.price;
  let payment = stands;
  for (const { part } of charge.waiting ?? []) {
    const refund = standing.get(partReference(charge, part));
    if (refund === undefined) continue;
    addresses--;
    payment = added(payment, refund);
  }
  return { addresses, payment };
}
