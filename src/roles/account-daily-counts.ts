import type { AccountData } from '../auth/deletion/account-data.repository.js';
import { KEY_MODES } from '../auth/api-key.js';
import { freeAnswersName } from '../billing/idempotency/free-answers.js';
import { dailyTestsName } from '../console/webhooks/daily-tests.js';
import { dailyEventsName } from '../guard/events/daily-events.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { connectRedis } from '../platform/redis/connect-redis.js';
import { DailyAmounts } from '../platform/redis/daily-amounts.js';
import { withinDeadline } from '../platform/scheduling/within-deadline.js';

const REDIS_MS = 3000;

/** Deletes today's counts in Redis of a deleted account. Without Redis they expire within a day. */
export class AccountDailyCounts implements AccountData {
  constructor(private readonly context: CommandContext) {}

  async eraseAfter(accountId: string): Promise<void> {
    try {
      await withinDeadline(this.forget(accountId), REDIS_MS);
    } catch {
      this.context.say('Redis does not answer. What it has counted today for this account goes within a day.');
    }
  }

  private async forget(accountId: string): Promise<void> {
    const { secrets } = await this.context.settings();
    const redis = connectRedis(secrets.redisUrl, { maxRetriesPerRequest: null });
    this.context.onClose(async () => redis.disconnect());
    redis.on('error', () => undefined);
    const amounts = new DailyAmounts(redis);
    const names = KEY_MODES.flatMap((mode) => [dailyEventsName(accountId, mode), freeAnswersName(accountId, mode)]);
    await Promise.all([...names, dailyTestsName(accountId)].map((name) => amounts.forget(name)));
  }
}
