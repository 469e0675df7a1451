/** Queue positions of waiting work. */
export interface Outstanding {
  /** The last priority of the same account's work; null: it has none. */
  readonly accountsLast: number | null;
  /** The priority that is served next, of any account; null: nothing waits. */
  readonly next: number | null;
}

/** BullMQ's own limit is 2,097,152. */
const LAST = 2_000_000;

/**
 * Assigns queue priorities to an account's chunks, in order; 1 is served first. Chunks of accounts that start together
 * alternate, so a small job finishes soon beside big ones. A second job of an account queues behind its first. No chunk
 * starts ahead of the next priority, so waiting work never starves (start-time fair queueing).
 */
export function priorities(count: number, { accountsLast, next }: Outstanding): number[] {
  const before = Math.max(accountsLast ?? 0, (next ?? 1) - 1);
  return Array.from({ length: count }, (_, i) => Math.min(before + 1 + i, LAST));
}
