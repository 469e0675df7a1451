import type { Command } from 'commander';
import { accountId, unknownAccount } from '../auth/account.command.js';
import type { CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import { table } from '../platform/cli/table.js';
import { auditAccounts } from './ledger/audit-accounts.js';
import type { AuditStart, LedgerAuditRepository, Mismatch } from './ledger/ledger-audit.repository.js';

/** `ledger audit`. */
export function registerLedgerCommands(program: Command, context: CommandContext): void {
  program
    .command('ledger')
    .description('the ledger of credits and free verifies')
    .command('audit')
    .description('compare every balance with the sum of its ledger rows; exit code 1 if one differs')
    .argument('[account]', 'id of the account; default: all accounts', accountId)
    .option('--full', 'add up every row, not only those after the last monthly closing')
    .action(
      context.action(async (account: string | undefined, { full = false }: { full?: boolean }) => {
        const { LedgerAuditRepository: Ledger } = await import('./ledger/ledger-audit.repository.js');
        const ledger = new Ledger(await context.database());
        const start = full ? 'first row' : 'last closing';
        if (account === undefined) return auditAll(ledger, start);
        const { accounts, mismatches } = await ledger.page({ account }, start);
        if (accounts.length === 0) throw unknownAccount(context);
        return show(accounts.length, mismatches);
      }),
    );
}

async function auditAll(ledger: LedgerAuditRepository, start: AuditStart): Promise<CommandOutput> {
  let accounts = 0;
  const mismatches: Mismatch[] = [];
  await auditAccounts(ledger, { start }, (page) => {
    accounts += page.accounts.length;
    mismatches.push(...page.mismatches);
  });
  return show(accounts, mismatches);
}

function show(accounts: number, mismatches: readonly Mismatch[]): CommandOutput {
  const count = `${accounts} ${accounts === 1 ? 'account' : 'accounts'}`;
  const text =
    mismatches.length === 0
      ? `${count}, every balance is the sum of its ledger rows.`
      : table(
          ['ACCOUNT', 'FIGURE', 'KEPT', 'LEDGER ROWS'],
          mismatches.map(({ account, figure, kept, ledger }) => [account, figure, kept, ledger]),
        );
  return { json: { accounts, mismatches }, text, exitCode: mismatches.length === 0 ? 0 : 1 };
}
