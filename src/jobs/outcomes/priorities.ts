/** Where in the queue work stands that waits already. */
export interface Outstanding {
  /** The last place that work of the same account has; null: it has none. */
  readonly accountsLast: number | null;
  /** The place whose turn is next, whoever's it is; null: nobody waits. */
  readonly next: number | null;
}

/** BullMQ's own limit is 2,097,152. */
const LAST = 2_000_000;

/**
 * Places in the queue for so many chunks of an account, in their order; 1 is served first. Chunks of several accounts that
 * begin together alternate, so a small job is done soon however much others have waiting; a second job of the same account
 * goes behind its first. Nobody begins ahead of the place whose turn it is: what waits there is not overtaken for ever
 * (start-time fair queueing).
 */
export function priorities(count: number, { accountsLast, next }: Outstanding): number[] {
  const before = Math.max(accountsLast ?? 0, (next ?? 1) - 1);
  return Array.from({ length: count }, (_, i) => Math.min(before + 1 + i, LAST));
}
