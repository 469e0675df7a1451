import { join } from 'node:path';
import { liveKey } from './account.mjs';
import { startLaboratory } from './laboratory.mjs';
import { bringUpServers } from './private-servers.mjs';
import { cli, startProduct } from './product.mjs';
import { step } from './say.mjs';
import { keptSecret } from './secret.mjs';

/** A plan that no limit of is reached by a bench: its own, so that none of the operator's is touched. */
const plan = 'bench';

/**
 * The whole service, as the demo has it, with a key that may ask as often as it likes.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {string} folder
 * @returns {Promise<Record<'BENCH_API_URL' | 'BENCH_API_KEY' | 'BENCH_DATABASE_URL', string>>} what the benches are told
 */
export async function benchApi(keeper, folder) {
  const logs = join(folder, 'logs');
  const { databaseUrl, redisUrl } = await bringUpServers(keeper, { folder, database: 'mailvet_bench' });
  const lab = await startLaboratory(keeper, logs);
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
  const { url } = await step('API and worker', () => startProduct(keeper, { logs, environment }));
  const key = await liveKey({ folder, url, environment, name: 'Bench', plan });
  return { BENCH_API_URL: url, BENCH_API_KEY: key, BENCH_DATABASE_URL: databaseUrl };
}

async function addPlan(databaseUrl) {
  // Not above: the dependencies are installed after this file is read.
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(databaseUrl);
  await connection.query(
    `INSERT IGNORE INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month)
     VALUES (?, ?, ?, ?)`,
    [plan, 1e9, 1e9, 1e9],
  );
  await connection.end();
}
