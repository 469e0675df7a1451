import { Option, type Command } from 'commander';
import { accountId, unknownAccount } from '../../auth/account.command.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { table } from '../../platform/cli/table.js';
import { typedValue } from '../../platform/cli/typed-value.js';
import { MEMBER_ROLES, type MemberRole } from './role.js';
import { parseUserEmail, USER_EMAIL_RULE } from './user-email.js';
import type { ListedUser } from './user-management.repository.js';

const userEmail = typedValue(USER_EMAIL_RULE, parseUserEmail);
const SHOWN_ONCE = 'This is the only time the link is shown. It is good once, within 24 hours: pass it on.';

interface CreateOptions {
  readonly email: string;
  readonly account?: string;
  readonly role?: MemberRole;
  readonly operator?: boolean;
}

/** `user create|list|reset|disable`. No mail is sent: a link is printed by the command that makes it, once. */
export function registerUserCommands(program: Command, context: CommandContext): void {
  const user = program.command('user').description('people who sign in to the console');

  user
    .command('create')
    .description(
      'make somebody a member of an account by a link: a new user chooses a password on it, a known one signs in',
    )
    .requiredOption('--email <email>', 'how the user signs in', userEmail)
    .option('--account <account>', 'id of the account; may be left out for an operator', accountId)
    .addOption(new Option('--role <role>', 'what the user may do in the account').choices(MEMBER_ROLES))
    .option('--operator', "may see the operator's area too")
    .action(context.action((options: CreateOptions) => create(options, context)));

  user
    .command('list')
    .description('all users, by email')
    .action(context.action(async () => list(await (await services(context)).users.list(), context)));

  user
    .command('reset')
    .description(
      'end the password and the sessions of a user, and show a link on which to choose another password, once',
    )
    .argument('<email>', 'email of the user', userEmail)
    .option('--without-codes', 'switch authentication codes off too, for somebody who has lost the app')
    .action(
      context.action(async (email: string, { withoutCodes = false }: { withoutCodes?: boolean }) => {
        const { users, newLink } = await services(context);
        const link = newLink();
        const show = (id: string): Promise<void> => context.show(linkOutput({ id, link: link.url }));
        const settings = { isCodeOff: withoutCodes, actor: context.operator };
        if (!(await users.reset(email, link.tokenSha256, settings, show))) throw unknownUser(context);
        return { json: null, text: '' };
      }),
    );

  user
    .command('disable')
    .description('end the sessions of a user and refuse further ones, until a reset')
    .argument('<email>', 'email of the user', userEmail)
    .action(
      context.action(async (email: string) => {
        const id = await (await services(context)).users.disable(email, context.operator);
        if (id === null) throw unknownUser(context);
        return { json: { id, disabled: true }, text: 'The user cannot sign in any more.' };
      }),
    );
}

async function create({ email, account, role, operator = false }: CreateOptions, context: CommandContext) {
  if (account === undefined ? !operator || role !== undefined : role === undefined) {
    throw new CommandError('--account and --role belong together; only with --operator both may be left out');
  }
  const { users, newLink } = await services(context);
  const link = newLink();
  const member = { email, role: role ?? null, isOperator: operator, linkSha256: link.tokenSha256 };
  const outcome = await users.create(account ?? null, member, context.operator, ({ userId, isNewUser }) =>
    context.show(linkOutput({ id: userId, link: link.url }, isNewUser ? null : joiningAdvice(email, context))),
  );
  if (outcome.kind === 'unknown_account') throw unknownAccount(context);
  if (outcome.kind === 'already_member') throw new CommandError('this user is a member of the account already');
  if (outcome.kind === 'already_operator') throw new CommandError('this user is an operator already');
  return { json: null, text: '' };
}

async function services(context: CommandContext) {
  const [{ config }, { UserManagementRepository }, { newWelcomeLink }] = await Promise.all([
    context.settings(),
    import('./user-management.repository.js'),
    import('./welcome-link.js'),
  ]);
  const origin = config.console.origin ?? `http://127.0.0.1:${config.console.port}`;
  return {
    users: new UserManagementRepository(await context.database()),
    newLink: () => newWelcomeLink(origin),
  };
}

function linkOutput(made: { readonly id: string; readonly link: string }, advice: string | null = null): CommandOutput {
  const lines = [made.link, '', SHOWN_ONCE, ...(advice === null ? [] : [advice])];
  return { json: made, text: `${lines.join('\n')}\nThe id of the user is ${made.id}.` };
}

function joiningAdvice(email: string, { programName }: CommandContext): string {
  return `This user is known, and nothing has changed yet: it does when they open the link and sign in as before. If somebody else
may have chosen the password, type: ${programName} user reset ${email}`;
}

function list(users: readonly ListedUser[], { programName }: CommandContext): CommandOutput {
  const headings = ['EMAIL', 'NAME', 'ACCOUNTS', 'OPERATOR', 'CODES', 'LAST SIGN-IN', 'DISABLED'];
  const rows = users.map(({ user, memberships }) => [
    user.email,
    user.name,
    memberships.map(({ account, role }) => `${account.name} (${role})`).join(', ') || null,
    user.operator === 1 ? 'yes' : null,
    user.totpOnAt === null ? null : 'yes',
    user.lastSignedInAt,
    user.disabledAt,
  ]);
  const none = `No user yet. To make one, type: ${programName} user create --email EMAIL --account ACCOUNT --role owner`;
  return { json: users.map(toJson), text: rows.length === 0 ? none : table(headings, rows) };
}

function toJson({ user, memberships }: ListedUser) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    operator: user.operator === 1,
    totp: user.totpOnAt !== null,
    last_signed_in_at: user.lastSignedInAt,
    disabled_at: user.disabledAt,
    created_at: user.createdAt,
    accounts: memberships.map(({ accountId: id, account, role }) => ({ id, name: account.name, role })),
  };
}

function unknownUser({ programName }: CommandContext): CommandError {
  return new CommandError(`no user has this email. To see them, type: ${programName} user list`);
}
