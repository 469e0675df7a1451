import { createConnection } from 'mysql2/promise';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { isLockConflict } from '../../src/platform/database/database-errors.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { retriedTransaction } from '../../src/platform/database/retried-transaction.js';
import { jobWorld } from '../integration/job-world.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ask, startGalera, type GaleraCluster } from '../support/database-clusters.js';
import { startOwnRedis } from '../support/own-servers.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import { primaryOf, startSentinels } from '../support/redis-nodes.js';
import { spentCredits } from '../support/spent-credits.js';
import { completedJob, expectPaidOnce, startLoad } from './database-load.js';

/** Nodes killed, one after another. More: `GALERA_ROUNDS=20`. */
const ROUNDS = Number(process.env['GALERA_ROUNDS'] ?? 1);
const CALLS = 60;
const JOB = 120;
/** As `npm run test:chaos` runs it. */
const IS_LONG = ROUNDS > 1;

jest.setTimeout(240_000 + ROUNDS * 60_000);

const { world, emails } = jobWorld({ domains: 8, addresses: 8 * 60, roundTripMs: 20, shares: {} });

let lab: Laboratory;
let cluster: GaleraCluster | null;
let redis: Awaited<ReturnType<typeof startOwnRedis>>;
let product: Product | null = null;

beforeAll(async () => {
  [lab, cluster, redis] = await Promise.all([startLaboratory(world), startGalera(), startOwnRedis()]);
  if (cluster === null) return;
  product = await startProduct(
    {
      ...laboratoryEnvironment(lab),
    },
    { databaseUrl: cluster.url, redisUrl: redis.url },
  );
});
afterAll(async () => {
  await product?.close();
  await Promise.all([cluster?.close(), redis?.close(), lab?.stop()]);
});

it(`charges each answer once while nodes of a Galera cluster are killed and come back (${ROUNDS} rounds)`, async () => {
  if (cluster === null || product === null) {
    console.warn('SKIPPED: Galera is not installed here');
    return;
  }
  const urls = cluster.nodes.map(({ url }) => url);
  await ask(
    urls[0]!,
    "UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000 WHERE name = 'scale'",
  );
  await product.cli('credits', 'grant', product.accountId, '1000000');
  const key = await product.createKey('live');
  const [api, worker] = await Promise.all([product.startApi(), product.startWorker()]);

  let credits = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // The first of the list is the one that is written to.
    const victim = round % 2 === 0 ? 0 : ((round % 3) as 0 | 1 | 2);
    const load = startLoad(api, key, emails.slice(0, 100));
    await load.more(CALLS);
    const sent = emails.slice(120, 120 + JOB);
    const submitted = await api.post('/v1/verify/jobs', key, { emails: sent });
    expect(submitted).toMatchObject({ status: 202 });
    await cluster.nodes[victim]!.end('SIGKILL');
    await load.more(CALLS);
    await cluster.bringBack(victim);
    await load.more(CALLS);
    const report = await load.stop();
    process.stdout.write(`round ${round + 1}, node ${victim + 1} killed: ${JSON.stringify(report)}\n`);
    const results = await completedJob(api, key, String(submitted.body['id']));
    expect(results.map(({ email }) => email)).toEqual(sent);
    credits += report.answered + results.length;
    await expectPaidOnce(product, urls, credits);
  }
  await Promise.all([api, worker].map((one) => one.process.stop()));
});

it('loses a whole zone: an API, a worker, the written node, the primary of Redis and a sentinel at once', async () => {
  if (cluster === null || product === null) {
    console.warn('SKIPPED: Galera is not installed here');
    return;
  }
  const sentinels = await startSentinels();
  const shared = { REDIS_URL: sentinels.url };
  const [lost, stays, worker] = await Promise.all([
    product.startApi(shared),
    product.startApi(shared),
    product.startWorker(shared),
    ...(IS_LONG ? [product.startWorker(shared)] : []),
  ]);
  const key = await product.createKey('live');
  const spentBefore = await spentOn(cluster.nodes[1]!.url);
  const balanced = balance([lost, stays]);
  const load = startLoad(balanced, key, emails.slice(0, 100));
  await load.more(CALLS);
  // A worker that is killed holds its part of a job for half a minute.
  const sent = IS_LONG ? emails.slice(300, 300 + JOB) : [];
  const submitted = IS_LONG ? await stays.post('/v1/verify/jobs', key, { emails: sent }) : null;

  const [primary, watcher] = [await primaryOf(sentinels), sentinels.nodes.at(-1)!];
  for (const { process: ofZone } of [lost, worker]) ofZone.kill('SIGKILL');
  await Promise.all([cluster.nodes[0]!.end('SIGKILL'), primary!.kill(), watcher.kill()]);
  await load.more(4 * CALLS);
  await cluster.bringBack(0);
  await load.more(CALLS);
  const report = await load.stop();
  const results = submitted === null ? [] : await completedJob(stays, key, String(submitted.body['id']));
  process.stdout.write(`a zone is lost: ${JSON.stringify({ ...report, broken: balanced.broken })}\n`);
  expect(results.map(({ email }) => email)).toEqual(sent);
  // Nobody knows whether a call was charged whose answer broke off; its caller would repeat it under its Idempotency-Key.
  const spent = await spentOn(cluster.nodes[1]!.url);
  const due = spentBefore + report.answered + results.length;
  expect(spent).toBeGreaterThanOrEqual(due);
  expect(spent).toBeLessThanOrEqual(due + balanced.broken);
  await expectPaidOnce(
    product,
    cluster.nodes.map(({ url }) => url),
    spent,
  );
  await Promise.all([stays.process.stop(), sentinels.close()]);
});

/** Calls in turn, as a balancer does: where nobody listens the call goes to the next one, where an answer breaks off too. */
function balance(apis: readonly RunningApi[]) {
  let turn = 0;
  const balanced = {
    broken: 0,
    async verify(key: string, body: unknown): Promise<Answered> {
      for (let left = 20; ; left--) {
        try {
          return await apis[turn++ % apis.length]!.verify(key, body);
        } catch (error) {
          const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
          if (code !== 'ECONNREFUSED') balanced.broken++;
          if (left === 0) throw error;
        }
      }
    },
  };
  return balanced;
}

async function spentOn(url: string): Promise<number> {
  const connection = await createConnection({ uri: url });
  const spent = await spentCredits(connection);
  await connection.end();
  return spent;
}

it('lets claimers on two nodes take each row once, though commits fail their certification', async () => {
  if (cluster === null) {
    console.warn('SKIPPED: Galera is not installed here');
    return;
  }
  const { nodes } = cluster;
  await ask(nodes[1]!.url, 'CREATE TABLE claims (id INT PRIMARY KEY, taken_by INT NULL)');
  const ids = Array.from({ length: 120 }, (_, i) => i);
  await ask(nodes[1]!.url, `INSERT INTO claims (id) VALUES ${ids.map((id) => `(${id})`).join(', ')}`);

  let tries = 0;
  let commits = 0;
  const claimAll = async (node: number): Promise<number[]> => {
    const dataSource = await openDatabase(parseDatabaseUrl(nodes[node]!.url)!);
    const taken: number[] = [];
    for (;;) {
      const some = await retriedTransaction(dataSource, async (transaction) => {
        tries++;
        const rows = await transaction.query<{ id: number }[]>(
          'SELECT id FROM claims WHERE taken_by IS NULL ORDER BY id LIMIT 4 FOR UPDATE SKIP LOCKED',
        );
        const found = rows.map(({ id }) => id);
        if (found.length > 0) await transaction.query('UPDATE claims SET taken_by = ? WHERE id IN (?)', [node, found]);
        return found;
      }).catch((error: unknown) => {
        if (!isLockConflict(error)) throw error;
        return null;
      });
      // So many conflicts in a row are left to the next run, as in the product.
      if (some === null) continue;
      commits++;
      if (some.length === 0) break;
      taken.push(...some);
    }
    await dataSource.destroy();
    return taken;
  };
  const taken = (await Promise.all([claimAll(1), claimAll(2)])).flat();
  expect(taken.toSorted((a, b) => a - b)).toEqual(ids);
  expect(tries).toBeGreaterThan(commits);
});
