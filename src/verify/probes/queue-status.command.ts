import type { Command } from 'commander';
import { DeadlineMissed, withinDeadline } from '../../platform/scheduling/within-deadline.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { table } from '../../platform/cli/table.js';
import { whyRedisFails, type WhyRedisFails } from '../../platform/redis/why-redis-fails.js';
import type { QueueDepth } from '../../platform/queues/queue-depths.js';
import type { QueueName } from '../../platform/config/queue-names.js';
import type { PendingSummary } from './pending-summary.repository.js';

const REDIS_MS = 3000;

/**
 * `queue status`: queued jobs, failed jobs, and pending probes by the database, whatever the queues hold.
 * @returns the `queue` command, to which others add theirs
 */
export function registerQueueCommands(program: Command, context: CommandContext): Command {
  const queue = program.command('queue').description('background work and its failures');
  queue
    .command('status')
    .description('count waiting, active, delayed and failed jobs of each queue')
    .action(context.action(() => status(context)));
  return queue;
}

async function status(context: CommandContext): Promise<CommandOutput> {
  const depths = await askRedis(context);
  const [{ FailedJobsRepository }, { PendingSummaryRepository }, database] = await Promise.all([
    import('../../platform/queues/failed-jobs.repository.js'),
    import('./pending-summary.repository.js'),
    context.database(),
  ]);
  const failed = await new FailedJobsRepository(database).counts();
  const pending = await new PendingSummaryRepository(database).read();
  const rows = [...depths].map(([queue, depth]) => ({ queue, ...depth, failed: failed.get(queue) ?? 0 }));
  const lines = rows.map(({ queue, waiting, active, delayed, failed: gone }) => {
    return [queue, ...[waiting, active, delayed, gone].map(String)];
  });
  return {
    json: Object.fromEntries(
      rows.map(({ queue, ...counts }) => [
        queue,
        queue === 'smtp-probe' ? { ...counts, pending: pendingJson(pending) } : counts,
      ]),
    ),
    text: `${table(['QUEUE', 'WAITING', 'ACTIVE', 'DELAYED', 'FAILED'], lines)}\n\n${pendingText(pending)}`,
  };
}

/** @throws CommandError when Redis does not answer, or refuses the connection */
async function askRedis(context: CommandContext): Promise<ReadonlyMap<QueueName, QueueDepth>> {
  const [{ config, secrets }, { connectRedis }, { openQueues }, { readDepths }] = await Promise.all([
    context.settings(),
    import('../../platform/redis/connect-redis.js'),
    import('../../platform/queues/queue-without-error-log.js'),
    import('../../platform/queues/queue-depths.js'),
  ]);
  const redis = connectRedis(secrets.redisUrl, { maxRetriesPerRequest: null });
  context.onClose(async () => redis.disconnect());
  // The client keeps reconnecting; the wait is bounded below.
  const reasons: WhyRedisFails[] = [];
  redis.on('error', (error) => {
    const why = whyRedisFails(error);
    if (why !== null) reasons[0] = why;
  });
  try {
    return await withinDeadline(readDepths(openQueues(redis, config.queues.parts)), REDIS_MS);
  } catch (error) {
    if (!(error instanceof DeadlineMissed)) throw error;
    throw new CommandError(said(reasons[0]));
  }
}

function said(why: WhyRedisFails | undefined): string {
  if (why === undefined) return 'Redis does not answer: check REDIS_URL and that the server runs';
  if (why.refusal !== null) return `Redis does not let us in (${why.refusal}): check user and password in REDIS_URL`;
  return 'Redis has a certificate that is not trusted: name a file with that of its authority in NODE_EXTRA_CA_CERTS';
}

function pendingJson({ due, greylisted, oldestDueSeconds }: PendingSummary): Record<string, number> {
  return { due, greylisted, oldest_due_seconds: oldestDueSeconds };
}

function pendingText({ due, greylisted, oldestDueSeconds }: PendingSummary): string {
  const oldest = oldestDueSeconds > 0 ? `, the oldest since ${oldestDueSeconds} s` : '';
  return `Pending addresses: ${due} due${oldest}; ${greylisted} greylisted, to be asked about once more.`;
}
