/** Whether an amount was to be had, and if not, whose bound it was. */
export type Taking = 'taken' | 'account_full' | 'process_full';

export interface SharesOptions {
  /** Of the process. */
  readonly total: number;
  /** Of one account at most, that no neighbour is left without. */
  readonly perAccount: number;
}

/** Something that a process has so much of, such as memory for bodies, and that accounts share: each has a bound of its own. */
export class Shares {
  private used = 0;
  private readonly byAccount = new Map<string, number>();

  constructor(private readonly options: SharesOptions) {}

  /** How much is taken. */
  get inUse(): number {
    return this.used;
  }

  /** Takes all of an amount, to be given back, or nothing. */
  take(account: string, amount: number): Taking {
    const own = (this.byAccount.get(account) ?? 0) + amount;
    if (own > this.options.perAccount) return 'account_full';
    if (this.used + amount > this.options.total) return 'process_full';
    this.byAccount.set(account, own);
    this.used += amount;
    return 'taken';
  }

  giveBack(account: string, amount: number): void {
    const left = (this.byAccount.get(account) ?? 0) - amount;
    if (left > 0) this.byAccount.set(account, left);
    else this.byAccount.delete(account);
    this.used -= amount;
  }
}
