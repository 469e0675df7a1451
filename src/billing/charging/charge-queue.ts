/** What a queue needs to know of its members. */
export interface Queued {
  readonly accountId: string;
  /** Octets it brings into a transaction beside its own few. */
  readonly weight: number;
}

/** Members in the order they came within each account, and taken round-robin over the accounts. */
export class ChargeQueue<Member extends Queued> {
  /** Never holds an empty list. The first account is the next to be served. */
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

  /** Removes and returns up to `max` members of up to `maxWeight` octets together, one at least where there is one. */
  take(max: number, maxWeight: number): Member[] {
    const taken: Member[] = [];
    let weight = 0;
    // An account that was served goes to the end: iteration meets it again there.
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
