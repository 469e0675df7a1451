/** The result of taking an amount: taken, or the limit that was full. */
export type Taking = 'taken' | 'account_full' | 'process_full';

export interface SharesOptions {
  /** Limit of the process. */
  readonly total: number;
  /** Limit of one account, so that others keep some. */
  readonly perAccount: number;
}

/** A limited resource of a process that accounts share, such as memory for bodies; each account has its own limit. */
export class Shares {
  private used = 0;
  private readonly byAccount = new Map<string, number>();

  constructor(private readonly options: SharesOptions) {}

  /** Amount in use. */
  get inUse(): number {
    return this.used;
  }

  /** Takes the whole amount, to be released later, or nothing. */
  reserve(account: string, amount: number): Taking {
    const own = (this.byAccount.get(account) ?? 0) + amount;
    if (own > this.options.perAccount) return 'account_full';
    if (this.used + amount > this.options.total) return 'process_full';
    this.byAccount.set(account, own);
    this.used += amount;
    return 'taken';
  }

  release(account: string, amount: number): void {
    const left = (this.byAccount.get(account) ?? 0) - amount;
    if (left > 0) this.byAccount.set(account, left);
    else this.byAccount.delete(account);
    this.used -= amount;
  }
}
