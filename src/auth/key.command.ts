import { Option, type Command } from 'commander';
import type { CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { table } from '../platform/cli/table.js';
import { typedValue } from '../platform/cli/typed-value.js';
import { isId } from '../platform/ids/uuid.js';
import { accountId, unknownAccount } from './account.command.js';
import { KEY_MODES, type KeyMode } from './api-key.js';
import type { ApiKeyRecord } from './api-key.repository.js';
import { DISPLAY_NAME_RULE, parseDisplayName } from './display-name.js';
import { GRACE_PERIOD_RULE, parseGracePeriod } from './grace-period.js';
import type { IssuedKey } from './key-management.service.js';

const SHOWN_ONCE = 'This is the only time the key is shown: keep it now.';

const keyId = typedValue('must be the id of a key, as `key list` shows it; never the key itself', (text) =>
  isId(text.toLowerCase()) ? text.toLowerCase() : null,
);

/** `key create|list|rotate|revoke`. A key is printed once, by the command that creates it, and not stored. */
export function registerKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('API keys of an account');

  key
    .command('create')
    .description('create a key and show it once')
    .argument('<account>', 'id of the account', accountId)
    .addOption(new Option('--mode <mode>', 'live, or test for the sandbox').choices(KEY_MODES).makeOptionMandatory())
    .option('--name <name>', 'display name', typedValue(DISPLAY_NAME_RULE, parseDisplayName))
    .action(
      context.action(async (account: string, { mode, name }: { mode: KeyMode; name?: string }) => {
        const { service } = await services(context);
        const output = (issued: IssuedKey): CommandOutput => ({ json: issued, text: textOf(issued) });
        const show = (issued: IssuedKey): Promise<void> => context.show(output(issued));
        const issued = await service.create(account, mode, name ?? null, context.operator, show);
        if (issued === null) throw unknownAccount(context);
        return output(issued);
      }),
    );

  key
    .command('list')
    .description('list the keys of an account, oldest first, with their last four characters')
    .argument('<account>', 'id of the account', accountId)
    .action(
      context.action(async (account: string) => {
        const { keys, accounts } = await services(context);
        if ((await accounts.findById(account)) === null) throw unknownAccount(context);
        return list(await keys.listOf(account), account, context);
      }),
    );

  key
    .command('rotate')
    .description('replace a key and show the new one once; the old one stays valid for the grace period')
    .argument('<key>', 'id of the key', keyId)
    .addOption(
      new Option('--grace <period>', 'how long the old key stays valid: 0, 30m, 24h, 7d')
        .default(86_400, '24h')
        .argParser(typedValue(GRACE_PERIOD_RULE, parseGracePeriod)),
    )
    .action(context.action((id: string, { grace }: { grace: number }) => rotate(id, grace, context)));

  key
    .command('revoke')
    .description('end a key in every process within 5 seconds; it cannot be undone')
    .argument('<key>', 'id of the key', keyId)
    .action(
      context.action(async (id: string) => {
        const revokedAt = await (await services(context)).keys.revoke(id, context.operator);
        if (revokedAt === null) throw unknownKey(context);
        return { json: { id, revoked_at: revokedAt }, text: `The key is refused everywhere within 5 seconds.` };
      }),
    );
}

async function rotate(id: string, graceSeconds: number, context: CommandContext): Promise<CommandOutput> {
  const { service } = await services(context);
  const output = (successor: IssuedKey, oldExpiresAt: Date): CommandOutput => ({
    json: { ...successor, replaces: id, old_key_expires_at: oldExpiresAt },
    text: `${textOf(successor)}\nThe old key works until ${oldExpiresAt.toISOString()}.`,
  });
  const outcome = await service.rotate(id, graceSeconds, context.operator, (successor, oldExpiresAt) =>
    context.show(output(successor, oldExpiresAt)),
  );
  if (outcome.kind === 'unknown') throw unknownKey(context);
  if (outcome.kind === 'ended') {
    throw new CommandError(`this key is ${outcome.status}: make a new one with ${context.programName} key create`);
  }
  if (outcome.kind === 'replaced') {
    throw new CommandError(`this key was rotated before: its successor is ${outcome.by}`);
  }
  return output(outcome.successor, outcome.oldExpiresAt);
}

async function services(context: CommandContext) {
  const [{ config }, { AccountRepository }, { ApiKeyRepository }, { KeyManagementService }] = await Promise.all([
    context.settings(),
    import('./account.repository.js'),
    import('./api-key.repository.js'),
    import('./key-management.service.js'),
  ]);
  const database = await context.database();
  const keys = new ApiKeyRepository(database);
  return {
    keys,
    accounts: new AccountRepository(database),
    service: new KeyManagementService(keys, config),
  };
}

function unknownKey(context: CommandContext): CommandError {
  return new CommandError(`no key has this id. To see them, type: ${context.programName} key list ACCOUNT`);
}

function textOf({ id, key }: IssuedKey): string {
  return `${key}\n\n${SHOWN_ONCE}\nIts id is ${id}.`;
}

function list(keys: readonly ApiKeyRecord[], account: string, context: CommandContext): CommandOutput {
  const headings = ['KEY', 'MODE', 'NAME', 'ENDS IN', 'STATUS', 'CREATED', 'LAST USED', 'EXPIRES'];
  const rows = keys.map((key) => [
    key.id,
    key.mode,
    key.name,
    key.lastFour,
    key.status,
    key.createdAt,
    key.lastUsedAt,
    key.expiresAt,
  ]);
  const none = `No key yet. To make one, type: ${context.programName} key create ${account} --mode test`;
  return { json: keys.map(toJson), text: rows.length === 0 ? none : table(headings, rows) };
}

function toJson(key: ApiKeyRecord) {
  return {
    id: key.id,
    mode: key.mode,
    name: key.name,
    last_four: key.lastFour,
    status: key.status,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    replaced_by: key.replacedBy,
  };
}
