import { join } from 'node:path';
import { ownAccount } from './account.mjs';
import { startLaboratory } from './laboratory.mjs';
import { root } from './paths.mjs';
import { bringUpServers } from './private-servers.mjs';
import { cli, startProduct } from './product.mjs';
import { step } from './say.mjs';
import { keptSecret } from './secret.mjs';

/** A plan of its own with unreachable limits, so that no plan of the operator is changed. */
const plan = 'bench';

/**
 * The whole service, with a key that may ask as often as it likes, before the demonstration's internet and that of the benches.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {string} folder
 * @returns {Promise<Record<string, string>>} what the benches are told: `bench/lib/api-under-test.ts`
 */
export async function benchApi(keeper, folder) {
  const logs = join(folder, 'logs');
  const pids = {};
  const noting = {
    ...keeper,
    start: async (task) => {
      const started = await keeper.start(task);
      pids[task.name] = started.pid;
      return started;
    },
  };
  const { databaseUrl, redisUrl } = await bringUpServers(noting, { folder, database: 'mailvet_bench' });
  const internet = join(root, '.local', 'build', 'bench', 'bench', 'processes', 'laboratory.js');
  const lab = await startLaboratory(noting, logs, internet);
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    ADDRESS_HASH_SECRET: `1:${keptSecret(join(folder, 'address-hash-secret'))}`,
    SHUTDOWN_DELAY_MS: '0',
    DNS_SERVERS: lab.dnsServer,
    SMTP_PORT: String(lab.smtpPort),
    SMTP_HELO_NAME: 'verify.mailvet.test',
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
  };
  await step('Migrating the database', () => cli(['migrate'], environment));
  await addPlan(databaseUrl);
  const { url } = await step('API and worker', () => startProduct(noting, { logs, environment }));
  const { liveKey: key } = await ownAccount({ folder, url, environment, name: 'Bench', plan });
  return {
    BENCH_API_URL: url,
    BENCH_API_KEY: key,
    BENCH_DATABASE_URL: databaseUrl,
    BENCH_REDIS_URL: redisUrl,
    BENCH_PIDS: JSON.stringify(pids),
    BENCH_API_ENVIRONMENT: JSON.stringify(environment),
  };
}

async function addPlan(databaseUrl) {
  // A dynamic import: dependencies are installed after this file is loaded.
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(databaseUrl);
  await connection.query(
    `INSERT IGNORE INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month)
     VALUES (?, ?, ?, ?)`,
    [plan, 1e9, 1e9, 1e9],
  );
  await connection.end();
}
