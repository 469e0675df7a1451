import type { AccountMoney } from '../../auth/account-money.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { shownCredits, freeVerifiesLeft } from '../funds.js';
import { FundsRepository } from '../holds/funds.repository.js';
import { LedgerRepository } from '../ledger/ledger.repository.js';

/** Money functions of the account commands. */
export async function accountMoney(context: CommandContext): Promise<AccountMoney> {
  const database = await context.database();
  const balances = new FundsRepository(database);
  const ledger = new LedgerRepository(database);
  return {
    async of({ id, plan }) {
      const funds = (await balances.read([id])).get(id)!;
      const credits = shownCredits(funds);
      const left = plan.freeVerifiesPerMonth === null ? null : freeVerifiesLeft(funds, plan.freeVerifiesPerMonth);
      return {
        json: { credits, free_verifies_remaining: left },
        text: {
          credits: `${credits.total} (${credits.purchased} purchased, ${credits.gifted} gifted)`,
          'free verifies left': left ?? 'unlimited',
        },
      };
    },
    firstCredits: (credits, actor) => ledger.firstCredits(credits, actor),
  };
}
