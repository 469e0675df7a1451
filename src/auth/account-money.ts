import type { Cell } from '../platform/cli/table.js';
import type { Account, WithNewAccount } from './account.repository.js';
import type { Actor } from '../platform/audit/audit-log.repository.js';

/** The account commands' view of money. Billing implements it, so that this feature does not depend on credits. */
export interface AccountMoney {
  /** Credits of an account, to be shown with it. */
  of(account: Account): Promise<{
    readonly json: Readonly<Record<string, unknown>>;
    readonly text: Readonly<Record<string, Cell>>;
  }>;
  /** Gives a new account its first credits. */
  firstCredits(credits: number, actor: Actor): WithNewAccount;
}
