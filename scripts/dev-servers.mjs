/**
 * node scripts/dev-servers.mjs [NAME]: a private MariaDB and Redis for development and single tests. Prints their URLs
 * as shell lines and stays up until Ctrl-C. Tests may use the database. A name other than `dev` gives another pair
 * with its own data.
 */
import { bringUpServers } from './lib/private-servers.mjs';
import { runScript } from './lib/run-script.mjs';
import { say } from './lib/say.mjs';

await runScript(process.argv[2] ?? 'dev', async ({ folder, keeper, untilStopped }) => {
  const { databaseUrl, redisUrl } = await bringUpServers(keeper, {
    folder,
    database: 'mailvet_test',
    appendOnly: false,
  });
  say(`\nexport DATABASE_URL=${databaseUrl}\nexport REDIS_URL=${redisUrl}\n\nStays up until Ctrl-C.`);
  return untilStopped();
});
