/**
 * npm start: runs the service on this machine against the real internet, its resolver and port 25. Every variable of
 * docs/configuration.md may be set. Stays up until Ctrl-C.
 */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { allOf } from './lib/all-of.mjs';
import { accountLines, ownAccount } from './lib/account.mjs';
import { consoleLines, firstUser } from './lib/console.mjs';
import { freePort } from './lib/free-port.mjs';
import { shortPath } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { bringUpServers } from './lib/private-servers.mjs';
import { cli, doctorLines, startConsole, startProduct } from './lib/product.mjs';
import { runScript } from './lib/run-script.mjs';
import { say, step } from './lib/say.mjs';
import { scriptOptions } from './lib/script-options.mjs';
import { keptSecret } from './lib/secret.mjs';
import { curlLine } from './lib/verify.mjs';

scriptOptions(process.argv.slice(2), {}, 'npm start');

await runScript('start', async ({ folder, keeper, untilStopped }) => {
  const logs = join(folder, 'logs');
  say('Mailvet');
  const [{ databaseUrl, redisUrl }] = await allOf(
    bringUpServers(keeper, { folder }),
    prepare({ keeper, folder, development: false, lab: false }),
  );
  const environment = {
    HOST: '127.0.0.1', // HOST=0.0.0.0 opens it to others
    METRICS_PORT: String(await freePort(9464)),
    ADDRESS_HASH_SECRET: `1:${keptSecret(join(folder, 'address-hash-secret'))}`,
    SHUTDOWN_DELAY_MS: '0', // no balancer in front
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
  };
  await step('Migrating the database', () => cli(['migrate'], environment));
  const { url } = await step('API and worker', async () => {
    const started = await startProduct(keeper, { logs, environment });
    return { ...started, said: started.url };
  });
  const own = await ownAccount({ folder, url, environment, name: 'First account', plan: 'growth' });

  const { url: consoleUrl } = await step('Account console', async () => {
    const started = await startConsole(keeper, { logs, environment, apiUrl: url });
    return { ...started, said: started.url };
  });
  const { account } = own;
  const user = await firstUser({ folder, url: consoleUrl, environment, account, email: 'owner@example.com' });

  say(`\n${consoleLines(user, consoleUrl)}`);
  say('\nVerify an address:\n');
  say(curlLine({ url, key: own.liveKey }, { email: 'someone@example.com' }));
  say(`\n${accountLines(own, environment, url)}`);
  say(`\nThe way to the mail hosts, as ${process.env.SMTP_HELO_NAME ?? hostname()} (SMTP_HELO_NAME):\n`);
  say(await doctorLines(environment));
  say(`Logs are in ${shortPath(logs)}, data in ${shortPath(folder)}. Ctrl-C stops everything.`);
  return untilStopped();
});
