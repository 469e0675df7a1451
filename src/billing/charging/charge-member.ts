import type { Charge, ChargeAttempt, ChargeOutcome } from './charge.js';

/** A charge that waits for its group, and what has happened to it. */
export interface ChargeMember {
  readonly accountId: string;
  readonly weight: number;
  readonly charge: Charge;
  readonly since: number;
  readonly isGone: () => boolean;
  readonly resolve: (outcome: ChargeOutcome) => void;
  readonly reject: (error: unknown) => void;
  mayStand: boolean;
  /** The caller was told that the charge failed; refund it if it committed. */
  undo: boolean;
  /** The caller was told that the charge failed while it was queued or running. */
  abandoned: boolean;
  passedOver: number;
  /** Its account's missing balance row has been inserted. */
  balanceAdded: boolean;
  lost: number;
}

export function attemptOf(member: ChargeMember): ChargeAttempt {
  const { charge, mayStand, undo, isGone } = member;
  return { charge, mayStand, intent: undo ? 'undo' : isGone() ? 'withdraw' : 'charge' };
}

export function isOfOneAccount(members: readonly ChargeMember[]): boolean {
  return members.every(({ accountId }) => accountId === members[0]?.accountId);
}

/** Splits by account if there are several, to find the one that fails without a try for each member. */
export function halves(members: readonly ChargeMember[]): [ChargeMember[], ChargeMember[]] {
  const accounts = [...new Set(members.map(({ accountId }) => accountId))];
  if (accounts.length === 1) {
    const middle = Math.ceil(members.length / 2);
    return [members.slice(0, middle), members.slice(middle)];
  }
  const first = new Set(accounts.slice(0, Math.ceil(accounts.length / 2)));
  return [
    members.filter((member) => first.has(member.accountId)),
    members.filter((member) => !first.has(member.accountId)),
  ];
}
