import type { Command } from 'commander';
import type { CommandContext, CommandOutput } from '../cli/command-context.js';
import { CommandError } from '../cli/command-error.js';
import { table } from '../cli/table.js';
import { wholeNumber } from '../cli/typed-value.js';
import type { FailedJobRetriesRepository, RetriedFailures } from './failed-job-retries.repository.js';
import type { FailedWork } from './failed-work.repository.js';

const SHOWN = 100;
const MAX_ID = 999_999_999_999_999;

/** `queue retry`: makes jobs that failed for good due again. */
export function registerQueueRetryCommand(
  queue: Command,
  context: CommandContext,
  loadWork: () => Promise<readonly FailedWork[]>,
): void {
  queue
    .command('retry')
    .description('retry failed work; without an id, list the latest failures')
    .argument('[failure]', 'id of the failure, as the list shows it', wholeNumber(1, MAX_ID))
    .option('--all', 'retry every failure that can be retried')
    .action(
      context.action(async (id: number | undefined, { all = false }: { all?: boolean }) => {
        if (id !== undefined && all) throw new CommandError('type an id or --all, not both');
        const { FailedJobRetriesRepository: Repository } = await import('./failed-job-retries.repository.js');
        const failures = new Repository(await context.database(), await loadWork());
        if (all) return output(await failures.retryAll(context.operator));
        return id === undefined ? list(failures) : retryOne(failures, id, context);
      }),
    );
}

async function list(failures: FailedJobRetriesRepository): Promise<CommandOutput> {
  const latest = await failures.latest(SHOWN);
  const rows = latest.map(({ id, queue, jobId, why, failedAt }) => [id, queue, jobId, failedAt, why]);
  return {
    json: latest.map(({ id, queue, jobId, why, failedAt }) => ({ id, queue, job: jobId, why, failed_at: failedAt })),
    text: rows.length === 0 ? 'Nothing has failed.' : table(['FAILURE', 'QUEUE', 'JOB', 'FAILED', 'WHY'], rows),
  };
}

async function retryOne(
  failures: FailedJobRetriesRepository,
  id: number,
  { operator, programName }: CommandContext,
): Promise<CommandOutput> {
  const outcome = await failures.retry(id, operator);
  if (outcome.kind === 'unknown') {
    throw new CommandError(`no failure has this id. To see them, type: ${programName} queue retry`);
  }
  if (outcome.kind === 'refused') throw new CommandError(`it can't be retried: ${outcome.why}`);
  return output({ retried: 1, refused: new Map() });
}

function output({ retried, refused }: RetriedFailures): CommandOutput {
  const lines = [...refused].map(([why, count]) => `Can't be retried: ${count} (${why}).`);
  return {
    json: { retried, refused: [...refused].map(([why, count]) => ({ why, count })) },
    text: [`Put back to work: ${retried}.`, ...lines].join('\n'),
  };
}
