/**
 * node scripts/dev-servers.mjs [NAME]: a private MariaDB and Redis for development and for running tests one by one.
 * Prints their URLs as lines for a shell and stays up until Ctrl-C. The database is one that tests may use. A name
 * other than `dev` gives another pair, with data of its own.
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
