import type { Command } from 'commander';
import { accountId, unknownAccount } from '../../auth/account.command.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';

/** `demo-data`. */
export function registerDemoDataCommand(program: Command, context: CommandContext): void {
  program
    .command('demo-data')
    .description(
      'give an account a month of made-up history, so that the console has something to show; not in production',
    )
    .argument('<account>', 'id of the account', accountId)
    .action(context.action((account: string) => create(account, context)));
}

async function create(account: string, context: CommandContext): Promise<CommandOutput> {
  const { isProduction } = await import('../../platform/config/is-production.js');
  if (isProduction()) throw new CommandError('there is no demo data in production (NODE_ENV)');
  const [
    { config },
    { AccountRepository },
    { ApiKeyRepository },
    { KeyManagementService },
    { UsageCountsRepository },
    { PropertiesRepository },
    { GuardEventsRepository },
    { DemoDataRepository },
    { DemoDataService },
    database,
  ] = await Promise.all([
    context.settings(),
    import('../../auth/account.repository.js'),
    import('../../auth/api-key.repository.js'),
    import('../../auth/key-management.service.js'),
    import('../../billing/usage/usage-counts.repository.js'),
    import('../../guard/properties/properties.repository.js'),
    import('../../guard/events/guard-events.repository.js'),
    import('./demo-data.repository.js'),
    import('./demo-data.service.js'),
    context.database(),
  ]);
  if ((await new AccountRepository(database).findById(account)) === null) throw unknownAccount(context);
  const service = new DemoDataService(
    new DemoDataRepository(database),
    new KeyManagementService(new ApiKeyRepository(database), config),
    new UsageCountsRepository(database),
    new PropertiesRepository(database),
    (daysAgo) => new GuardEventsRepository(database, `UTC_TIMESTAMP(3) - INTERVAL ${daysAgo} DAY`),
  );
  const made = await service.create(account, context.operator);
  if (made === null) throw new CommandError('this account has its demo data already');
  return {
    json: made,
    text: `Made up: ${made.calls} calls, ${made.lists} lists and ${made.events} guard events. All of it is named demo.`,
  };
}
