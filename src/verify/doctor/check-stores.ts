import type { CommandContext } from '../../platform/cli/command-context.js';
import { reasonOf } from '../../platform/database/database-errors.js';
import { connectRedis } from '../../platform/redis/connect-redis.js';
import { whyRedisIsWrong } from '../../platform/redis/refuse-wrong-redis.js';
import { namesDatabase } from '../../platform/config/load-config.js';
import { readServerFacts } from '../../platform/database/server-facts.repository.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { pendingMigrations } from '../../platform/database/pending-migrations.js';
import { clockFinding, databaseFindings, redisFindings } from './store-findings.js';
import { fault, unknown, type Finding } from './finding.js';

const CONNECT_MS = 3000;

/** Checks versions, settings and clocks of the database and Redis. */
export async function checkStores(context: CommandContext): Promise<Finding[]> {
  if (!namesDatabase()) return [unknown('database', 'DATABASE_URL is not set: database and Redis were not looked at')];
  const clocks: Record<string, number> = {};
  const findings = [...(await checkDatabase(context, clocks)), ...(await checkRedis(context, clocks))];
  return Object.keys(clocks).length === 0 ? findings : [...findings, clockFinding(clocks)];
}

async function checkDatabase(context: CommandContext, clocks: Record<string, number>): Promise<Finding[]> {
  try {
    const { secrets } = await context.settings();
    const database = await openDatabase(secrets.database);
    context.onClose(() => database.destroy());
    const asked = Date.now();
    const facts = await readServerFacts(database);
    clocks['the database'] = facts.now.getTime() - (asked + Date.now()) / 2;
    return databaseFindings(facts, (await pendingMigrations(database)).length);
  } catch (error) {
    if ((error as Error).name === 'ConfigFault') throw error;
    return [fault('database', `does not answer: ${reasonOf(error)}`, 'Check DATABASE_URL and that the server runs.')];
  }
}

async function checkRedis(context: CommandContext, clocks: Record<string, number>): Promise<Finding[]> {
  const { secrets } = await context.settings();
  const redis = connectRedis(secrets.redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const why = await whyRedisIsWrong(redis);
    if (why !== null) return [fault('Redis', `REDIS_URL ${why}`, 'Change REDIS_URL.')];
    const info = await redis.info();
    const asked = Date.now();
    const [seconds, microseconds] = await redis.time();
    clocks['Redis'] = Number(seconds) * 1000 + Number(microseconds) / 1000 - (asked + Date.now()) / 2;
    return redisFindings(info);
  } catch (error) {
    return [fault('Redis', `does not answer: ${reasonOf(error)}`, 'Check REDIS_URL and that the server runs.')];
  } finally {
    redis.disconnect();
  }
}
