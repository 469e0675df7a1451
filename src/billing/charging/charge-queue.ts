/** The fields of a member that the queue reads. */
export interface Queued {
  readonly accountId: string;
  /** Octets it adds to a transaction beyond its own few. */
  readonly weight: number;
}

/** First-in, first-out within each account, round-robin over accounts. */
export class ChargeQueue<Member extends Queued> {
  /** Lists are never empty. The first account is served next. */
  private readonly byAccount = new Map<string, Member[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(member: Member): void {
    const members = this.byAccount.get(member.accountId);
    if (members === undefined) this.byAccount.set(member.accountId, [member]);
    else members.push(member);
    this.count++;
  }

  /**
   * Removes and returns up to `max` members with a total weight of at most `maxWeight` octets, but at least one if any.
   */
  take(max: number, maxWeight: number): Member[] {
    const taken: Member[] = [];
    let weight = 0;
    // Re-insert a served account at the end: the iteration reaches it again there.
    for (const [accountId, members] of this.byAccount) {
      const [next] = members;
      if (next === undefined || taken.length === max) break;
      if (taken.length > 0 && weight + next.weight > maxWeight) break;
      members.shift();
      this.byAccount.delete(accountId);
      if (members.length > 0) this.byAccount.set(accountId, members);
      taken.push(next);
      weight += next.weight;
      this.count--;
    }
    return taken;
  }
}
