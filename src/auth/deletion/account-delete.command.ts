import type { Command } from 'commander';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { accountId, unknownAccount } from '../account.command.js';
import type { AccountData } from './account-data.repository.js';
import type { AccountDeletionService, AccountHoldings } from './account-deletion.service.js';

/**
 * `account delete`.
 * @param account the command `account`
 * @param loadData loads the account data of every feature
 */
export function registerAccountDeleteCommand(
  account: Command,
  context: CommandContext,
  loadData: () => Promise<readonly AccountData[]>,
): void {
  account
    .command('delete')
    .description('erase an account and its data, except one ledger row per month; it cannot be undone')
    .argument('<account>', 'id of the account', accountId)
    .option('--yes', 'delete; without it the command says what it would delete')
    .action(
      context.action(async (id: string, { yes = false }: { yes?: boolean }) => {
        const service = await loadService(context, await loadData());
        if (yes) return deleteNow(service, id, context);
        const holdings = await service.holdings(id);
        if (holdings === null) throw unknownAccount(context);
        throw notConfirmed(id, holdings, context);
      }),
    );
}

async function loadService(context: CommandContext, data: readonly AccountData[]): Promise<AccountDeletionService> {
  const [{ AccountRepository }, { AccountDeletionRepository }, { AccountDeletionService: Service }] = await Promise.all(
    [
      import('../account.repository.js'),
      import('./account-deletion.repository.js'),
      import('./account-deletion.service.js'),
    ],
  );
  const database = await context.database();
  return new Service({
    accounts: new AccountRepository(database),
    deletion: new AccountDeletionRepository(database),
    data,
    wait: async (ms) => {
      context.say(`Its keys are refused now. Running calls end within ${Math.ceil(ms / 1000)} seconds.`);
      await delay(ms);
    },
  });
}

async function deleteNow(service: AccountDeletionService, id: string, context: CommandContext): Promise<CommandOutput> {
  if (!(await service.delete(id, context.operator))) throw unknownAccount(context);
  return { json: { id, deleted: true }, text: 'The account and its data are deleted.' };
}

function notConfirmed(id: string, { name, counts }: AccountHoldings, { programName }: CommandContext): CommandError {
  const kept = Object.entries(counts).map(([what, count]) => `${what}: ${count}`);
  return new CommandError(
    `nothing was deleted. This deletes the account "${name}" (${kept.join(', ')}) and cannot be undone. To do it, type: ${programName} account delete ${id} --yes`,
  );
}
