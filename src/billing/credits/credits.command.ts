import { Option, type Command } from 'commander';
import { accountId, unknownAccount } from '../../auth/account.command.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { fields } from '../../platform/cli/table.js';
import { typedValue, wholeNumber } from '../../platform/cli/typed-value.js';
import { newId } from '../../platform/ids/uuid.js';
import { shownCredits, type Funds } from '../funds.js';
import { grantReference, parseReference, REFERENCE_RULE } from '../grant-reference.js';
import { CREDIT_KINDS, MAX_GRANT, type CreditKind } from '../credit-kind.js';

interface Options {
  readonly kind: CreditKind;
  readonly reference?: string;
}

/** `credits grant`. */
export function registerCreditsCommands(program: Command, context: CommandContext): void {
  program
    .command('credits')
    .description('credits of accounts')
    .command('grant')
    .description('grant credits to an account, once per reference')
    .argument('<account>', 'id of the account', accountId)
    .argument('<credits>', `number of credits, 1 to ${MAX_GRANT}`, wholeNumber(1, MAX_GRANT))
    .addOption(
      new Option('--kind <kind>', 'purchased, or gifted: spent first').choices(CREDIT_KINDS).default(CREDIT_KINDS[0]),
    )
    .option(
      '--reference <reference>',
      'what they were given for, such as an invoice',
      typedValue(REFERENCE_RULE, parseReference),
    )
    .action(
      context.action(async (account: string, credits: number, { kind, reference }: Options) => {
        const { LedgerRepository } = await import('../ledger/ledger.repository.js');
        const ledger = new LedgerRepository(await context.database());
        const grant = { accountId: account, credits, kind, reference: grantReference(reference ?? newId()) };
        // Like a new key, credits are given only if it could be said: without a reference nobody can repeat the command.
        const outcome = await ledger.grant(grant, context.operator, (funds) => context.show(output(funds, '')));
        if (outcome.kind === 'unknown_account') throw unknownAccount(context);
        if (outcome.kind === 'reference_used') {
          throw new CommandError('--reference was used for another grant: nothing was granted');
        }
        const note = outcome.kind === 'repeated' ? '\nGiven before under this reference: nothing was added.' : '';
        return output(outcome.funds, note);
      }),
    );
}

function output(funds: Funds, note: string): CommandOutput {
  const balance = shownCredits(funds);
  return { json: { credits: balance }, text: `${fields(balance)}${note}` };
}
