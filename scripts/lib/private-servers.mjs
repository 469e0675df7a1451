import { join } from 'node:path';
import { findMariaDb, startMariaDb } from './mariadb.mjs';
import { findRedis, startRedis } from './redis.mjs';
import { installMissing } from './server-packages.mjs';
import { step } from './say.mjs';

/**
 * The database and the Redis of a run: those of the environment where it names them, else private ones, installed
 * first where that can be done.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ folder: string, database?: string, appendOnly?: boolean }} options
 * @returns {Promise<{ databaseUrl: string, redisUrl: string }>}
 */
export async function bringUpServers(keeper, { folder, database = 'mailvet', appendOnly = true }) {
  const given = { database: process.env.DATABASE_URL, redis: process.env.REDIS_URL };
  await installMissing([
    ...(given.database || findMariaDb() ? [] : ['mariadb']),
    ...(given.redis || findRedis() ? [] : ['redis']),
  ]);
  const logs = join(folder, 'logs');
  const [mariaDb, redis] = await step('Database and Redis', async () => {
    const both = await Promise.all([
      given.database
        ? { url: given.database, said: 'DATABASE_URL as given' }
        : startMariaDb(keeper, { folder: join(folder, 'mariadb'), logs, database }),
      given.redis
        ? { url: given.redis, said: 'REDIS_URL as given' }
        : startRedis(keeper, { folder: join(folder, 'redis'), logs, appendOnly }),
    ]);
    return Object.assign(both, { said: both.map(({ said }) => said).join(', ') });
  });
  return { databaseUrl: mariaDb.url, redisUrl: redis.url };
}
