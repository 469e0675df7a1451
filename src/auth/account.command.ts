import type { Command } from 'commander';
import type { CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { fields, table } from '../platform/cli/table.js';
import { typedValue, wholeNumber } from '../platform/cli/typed-value.js';
import { isId } from '../platform/ids/uuid.js';
import type { AccountMoney } from './account-money.js';
import type { Account } from './account.repository.js';
import { DISPLAY_NAME_RULE, parseDisplayName } from './display-name.js';
import { figuresToJson, figuresToText } from './plan-figures.js';

/** Parses the arguments that name an account. */
export const accountId = typedValue('must be the id of an account, as `account list` shows it', (text) =>
  isId(text.toLowerCase()) ? text.toLowerCase() : null,
);

/** The error for an unknown account id, with the command that lists accounts. */
export function unknownAccount(context: CommandContext): CommandError {
  return new CommandError(`no account has this id. To see them, type: ${context.programName} account list`);
}

const MAX_FIRST_CREDITS = 1_000_000_000;

/**
 * `account create|list|show|set-plan|suspend|resume`.
 * @param loadMoney called when a command needs it
 * @returns `account`, for further subcommands
 */
export function registerAccountCommands(
  program: Command,
  context: CommandContext,
  loadMoney: () => Promise<AccountMoney>,
): Command {
  const shown = async (found: Account): Promise<CommandOutput> => show(found, await (await loadMoney()).of(found));
  const account = program.command('account').description('accounts, which own keys and credits');

  account
    .command('create')
    .description('create an account; create its keys with `key create`')
    .requiredOption('--name <name>', 'display name', typedValue(DISPLAY_NAME_RULE, parseDisplayName))
    .requiredOption('--plan <plan>', 'free, starter, growth, scale, or a plan you added')
    .option('--credits <credits>', 'purchased credits at the start', wholeNumber(0, MAX_FIRST_CREDITS), 0)
    .action(
      context.action(async ({ name, plan, credits }: { name: string; plan: string; credits: number }) => {
        const { service } = await services(context);
        const first = credits === 0 ? undefined : (await loadMoney()).firstCredits(credits, context.operator);
        const outcome = await service.create(name, plan, context.operator, first);
        if (outcome.kind === 'unknown_plan') throw unknownPlan('--plan', outcome.plans);
        return shown(outcome.account);
      }),
    );

  account
    .command('list')
    .description('list all accounts, oldest first')
    .action(context.action(async () => list(await (await services(context)).accounts.list(), context)));

  account
    .command('show')
    .description('show an account, the limits of its plan and its credits')
    .argument('<account>', 'id of the account', accountId)
    .action(
      context.action(async (id: string) => {
        const found = await (await services(context)).accounts.findById(id);
        if (found === null) throw unknownAccount(context);
        return shown(found);
      }),
    );

  account
    .command('set-plan')
    .description('move an account to another plan: its limits change, its usage stays')
    .argument('<account>', 'id of the account', accountId)
    .argument('<plan>', 'name of the plan')
    .action(
      context.action(async (id: string, plan: string) => {
        const outcome = await (await services(context)).service.setPlan(id, plan, context.operator);
        if (outcome.kind === 'unknown_account') throw unknownAccount(context);
        if (outcome.kind === 'unknown_plan') throw unknownPlan('PLAN', outcome.plans);
        return shown(outcome.account);
      }),
    );

  const suspension = (verb: string, description: string, suspended: boolean): void => {
    account
      .command(verb)
      .description(description)
      .argument('<account>', 'id of the account', accountId)
      .action(
        context.action(async (id: string) => {
          const changed = await (await services(context)).service.setSuspended(id, suspended, context.operator);
          if (changed === null) throw unknownAccount(context);
          return shown(changed);
        }),
      );
  };
  suspension('suspend', 'refuse all keys of an account within 5 seconds', true);
  suspension('resume', 'accept the keys of an account again', false);
  return account;
}

async function services(context: CommandContext) {
  const [{ AccountRepository }, { AccountService }] = await Promise.all([
    import('./account.repository.js'),
    import('./account.service.js'),
  ]);
  const accounts = new AccountRepository(await context.database());
  return { accounts, service: new AccountService(accounts) };
}

function unknownPlan(where: string, plans: readonly string[]): CommandError {
  return new CommandError(`${where} must be one of ${plans.join(', ')}`);
}

function show(account: Account, money: Awaited<ReturnType<AccountMoney['of']>>): CommandOutput {
  const { plan } = account;
  return {
    json: {
      ...toJson(account),
      ...figuresToJson(plan),
      ...money.json,
    },
    text: fields({
      account: account.id,
      name: account.name,
      plan: plan.name,
      ...figuresToText(plan),
      ...money.text,
      created: account.createdAt,
      suspended: account.suspendedAt,
    }),
  };
}

function list(accounts: readonly Account[], context: CommandContext): CommandOutput {
  const rows = accounts.map(({ id, name, plan, createdAt, suspendedAt }) => [
    id,
    name,
    plan.name,
    createdAt,
    suspendedAt,
  ]);
  const none = `No account yet. To make one, type: ${context.programName} account create --name NAME --plan free`;
  return {
    json: accounts.map(toJson),
    text: rows.length === 0 ? none : table(['ACCOUNT', 'NAME', 'PLAN', 'CREATED', 'SUSPENDED'], rows),
  };
}

function toJson({ id, name, plan, createdAt, suspendedAt }: Account) {
  return { id, name, plan: plan.name, created_at: createdAt, suspended_at: suspendedAt };
}
