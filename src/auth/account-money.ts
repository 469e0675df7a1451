import type { Cell } from '../platform/cli/table.js';
import type { Account, WithNewAccount } from './account.repository.js';
import type { Actor } from '../platform/audit/audit-log.repository.js';

/** What the account commands need to know of money. Another feature provides it: this one knows nothing of credits. */
export interface AccountMoney {
  /** What an account has, to be shown with it. */
  of(account: Account): Promise<{
    readonly json: Readonly<Record<string, unknown>>;
    readonly text: Readonly<Record<string, Cell>>;
  }>;
  /** Gives a new account its first credits. */
  firstCredits(credits: number, actor: Actor): WithNewAccount;
}
