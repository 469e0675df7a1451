/** A permit in use. */
interface HeldPermit {
  readonly onRevoked: () => void;
}

/**
 * A semaphore for probes of slow hosts, shared fairly by accounts: when all permits are taken, an account that holds
 * fewer takes one from the account that holds most.
 */
export class FairSemaphore {
  private readonly byAccount = new Map<string, Set<HeldPermit>>();
  private taken = 0;

  constructor(private readonly permits: number) {}

  /**
   * @param onRevoked called when the permit goes to another account
   * @returns a function that releases the permit; calls after the first do nothing. Null when the account gets no
   *   permit
   */
  acquire(account: string, onRevoked: () => void): (() => void) | null {
    if (this.taken >= this.permits && !this.makeRoomFor(account)) return null;
    const held: HeldPermit = { onRevoked };
    const own = this.byAccount.get(account) ?? new Set();
    this.byAccount.set(account, own.add(held));
    this.taken += 1;
    return () => this.remove(account, held);
  }

  /** Takes the newest permit of the account that holds most, if that leaves it no fewer than the other. */
  private makeRoomFor(account: string): boolean {
    const own = this.byAccount.get(account)?.size ?? 0;
    const [richest, theirs] = [...this.byAccount].reduce((one, other) => (other[1].size > one[1].size ? other : one));
    if (theirs.size <= own + 1) return false;
    const latest = [...theirs].at(-1)!;
    this.remove(richest, latest);
    latest.onRevoked();
    return true;
  }

  private remove(account: string, held: HeldPermit): void {
    const own = this.byAccount.get(account);
    if (own?.delete(held) !== true) return;
    this.taken -= 1;
    if (own.size === 0) this.byAccount.delete(account);
  }
}
