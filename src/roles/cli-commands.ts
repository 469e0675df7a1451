import type { Command } from 'commander';
import { registerAccountCommands } from '../auth/account.command.js';
import { registerAccountDeleteCommand } from '../auth/deletion/account-delete.command.js';
import { registerPlanCommands } from '../auth/plan.command.js';
import { registerKeyCommands } from '../auth/key.command.js';
import { registerDemoDataCommand } from '../console/demo/demo-data.command.js';
import { registerCreditsCommands } from '../billing/credits/credits.command.js';
import { registerLedgerCommands } from '../billing/ledger.command.js';
import { registerUserCommands } from '../console/people/user.command.js';
import { registerCuratedCommands } from '../domains/curated/curated.command.js';
import { registerListCommands } from '../domains/lists/list.command.js';
import { registerPropertyCommands } from '../guard/properties/property.command.js';
import { registerGuardCommands } from '../guard/report/guard-report.command.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { registerMigrateCommand } from '../platform/cli/migrate.command.js';
import type { FailedWork } from '../platform/queues/failed-work.repository.js';
import { registerQueueRetryCommand } from '../platform/queues/queue-retry.command.js';
import { registerCacheCommands } from '../verify/cache/cache.command.js';
import { registerQueueCommands } from '../verify/probes/queue-status.command.js';
import { registerWebhookCommands } from '../webhooks/webhook.command.js';
import { registerDoctorCommand } from '../verify/doctor/doctor.command.js';
import { registerVerifyCommands } from '../verify/verify.command.js';
import { registerVerifyFileCommand } from '../verify-file/verify-file.command.js';

/** Registers every feature's commands, in the order of `--help`. */
export function registerCommands(program: Command, context: CommandContext): void {
  registerMigrateCommand(program, context);
  registerPlanCommands(program, context);
  const account = registerAccountCommands(program, context, async () =>
    (await import('../billing/credits/account-money.js')).accountMoney(context),
  );
  registerAccountDeleteCommand(account, context, async () => (await import('./account-data.js')).accountData(context));
  registerKeyCommands(program, context);
  registerUserCommands(program, context);
  registerCreditsCommands(program, context);
  registerLedgerCommands(program, context);
  registerPropertyCommands(program, context);
  registerGuardCommands(program, context);
  registerWebhookCommands(program, context);
  registerCuratedCommands(program, context);
  registerListCommands(program, context);
  registerVerifyCommands(program, context);
  registerVerifyFileCommand(program, context);
  registerDoctorCommand(program, context);
  registerCacheCommands(program, context);
  registerQueueRetryCommand(registerQueueCommands(program, context), context, failedWork);
  registerDemoDataCommand(program, context);
  for (const command of leavesOf(program)) command.option('--json', 'print one JSON value and nothing else');
}

/** The commands without subcommands, which do the work. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Every feature's access to failed jobs of its queue. */
async function failedWork(): Promise<FailedWork[]> {
  const [{ failedProbes }, { failedBatches }, { failedCrawls }] = await Promise.all([
    import('../verify/probes/failed-probes.repository.js'),
    import('../jobs/chunks/failed-batches.repository.js'),
    import('../domains/crawl/failed-crawls.repository.js'),
  ]);
  return [failedProbes, failedBatches, failedCrawls];
}
