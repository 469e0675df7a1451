/** A place that is held. */
interface Held {
  readonly giveWay: () => void;
}

/**
 * Places of probes whose hosts keep them waiting, shared by the accounts they are made for: whoever has fewer of them than
 * another takes one from it when all are taken.
 */
export class FairSemaphore {
  private readonly byAccount = new Map<string, Set<Held>>();
  private taken = 0;

  constructor(private readonly places: number) {}

  /**
   * @param giveWay called when the place goes to another account: it is held no more
   * @returns gives the place back; only the first call counts. Null: there is none for this account
   */
  take(account: string, giveWay: () => void): (() => void) | null {
    if (this.taken >= this.places && !this.makeRoomFor(account)) return null;
    const held: Held = { giveWay };
    const own = this.byAccount.get(account) ?? new Set();
    this.byAccount.set(account, own.add(held));
    this.taken += 1;
    return () => this.remove(account, held);
  }

  /** The latest comer of the account that has most gives way, where that leaves it no fewer than the other. */
  private makeRoomFor(account: string): boolean {
    const own = this.byAccount.get(account)?.size ?? 0;
    const [richest, theirs] = [...this.byAccount].reduce((one, other) => (other[1].size > one[1].size ? other : one));
    if (theirs.size <= own + 1) return false;
    const latest = [...theirs].at(-1)!;
    this.remove(richest, latest);
    latest.giveWay();
    return true;
  }

  private remove(account: string, held: Held): void {
    const own = this.byAccount.get(account);
    if (own?.delete(held) !== true) return;
    this.taken -= 1;
    if (own.size === 0) this.byAccount.delete(account);
  }
}
