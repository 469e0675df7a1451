import type { Command } from 'commander';
import { accountId, unknownAccount } from '../../auth/account.command.js';
import { DISPLAY_NAME_RULE, parseDisplayName } from '../../auth/display-name.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { table } from '../../platform/cli/table.js';
import { typedValue } from '../../platform/cli/typed-value.js';
import { newPropertyKey } from './property-key.js';
import type { PropertyEntity } from './property.entity.js';

/** `property create|list`. */
export function registerPropertyCommands(program: Command, context: CommandContext): void {
  const property = program.command('property').description('sites and apps whose guards report events');

  property
    .command('create')
    .description('create a property; its key is public and part of the site’s pages')
    .argument('<account>', 'id of the account', accountId)
    .requiredOption('--name <name>', 'display name', typedValue(DISPLAY_NAME_RULE, parseDisplayName))
    .action(
      context.action(async (account: string, { name }: { name: string }) => {
        const { properties } = await repositories(context);
        const key = newPropertyKey();
        if (!(await properties.insert(account, { key, name }, context.operator))) throw unknownAccount(context);
        return { json: { property_key: key }, text: key };
      }),
    );

  property
    .command('list')
    .description('list the properties of an account, oldest first')
    .argument('<account>', 'id of the account', accountId)
    .action(
      context.action(async (account: string) => {
        const { properties, accounts } = await repositories(context);
        if ((await accounts.findById(account)) === null) throw unknownAccount(context);
        return listed(await properties.list(account), account, context);
      }),
    );
}

async function repositories(context: CommandContext) {
  const [{ AccountRepository }, { PropertiesRepository }] = await Promise.all([
    import('../../auth/account.repository.js'),
    import('./properties.repository.js'),
  ]);
  const database = await context.database();
  return { accounts: new AccountRepository(database), properties: new PropertiesRepository(database) };
}

function listed(
  properties: readonly PropertyEntity[],
  account: string,
  { programName }: CommandContext,
): CommandOutput {
  const json = properties.map(({ key, name, createdAt }) => ({ property_key: key, name, created_at: createdAt }));
  const rows = properties.map(({ key, name, createdAt }) => [key, name, createdAt]);
  const none = `No property yet. To make one, type: ${programName} property create ${account} --name NAME`;
  return { json, text: rows.length === 0 ? none : table(['PROPERTY', 'NAME', 'CREATED'], rows) };
}
