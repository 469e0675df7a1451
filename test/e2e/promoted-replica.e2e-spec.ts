import { jobWorld } from '../integration/job-world.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ask, startReplicatedPair, type ReplicatedPair } from '../support/database-clusters.js';
import { startOwnRedis } from '../support/own-servers.js';
import { startProduct, type Product } from '../support/product.js';
import { completedJob, expectPaidOnce, startLoad } from './database-load.js';

/** Switches of primary and replica before the primary is killed. More: `SWITCHES=20`. */
const SWITCHES = Number(process.env['SWITCHES'] ?? 1);
const CALLS = 60;
const JOB = 120;

jest.setTimeout(240_000 + SWITCHES * 60_000);

const { world, emails } = jobWorld({ domains: 8, addresses: 8 * 60, roundTripMs: 20, shares: {} });

let lab: Laboratory;
let pair: ReplicatedPair;
let redis: Awaited<ReturnType<typeof startOwnRedis>>;
let product: Product;

beforeAll(async () => {
  [lab, pair, redis] = await Promise.all([startLaboratory(world), startReplicatedPair(), startOwnRedis()]);
  product = await startProduct(
    {
      ...laboratoryEnvironment(lab),
    },
    { databaseUrl: pair.url, redisUrl: redis.url },
  );
});
afterAll(async () => {
  await product?.close();
  await Promise.all([pair?.close(), redis?.close(), lab?.stop()]);
});

it(`charges each answer once while a semi-synchronous replica takes over (${SWITCHES} switches, then a kill)`, async () => {
  await ask(
    pair.primary.url,
    "UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000 WHERE name = 'scale'",
  );
  await product.cli('credits', 'grant', product.accountId, '1000000');
  const key = await product.createKey('live');
  const [api] = await Promise.all([product.startApi(), product.startWorker()]);

  let credits = 0;
  /** Calls and a job while something happens. */
  const during = async (what: string, happen: () => Promise<void>): Promise<void> => {
    const load = startLoad(api, key, emails.slice(0, 100));
    await load.more(CALLS);
    const sent = emails.slice(120, 120 + JOB);
    const submitted = await api.post('/v1/verify/jobs', key, { emails: sent });
    expect(submitted).toMatchObject({ status: 202 });
    await happen();
    await load.more(CALLS);
    const report = await load.stop();
    process.stdout.write(`${what}: ${JSON.stringify(report)}\n`);
    const results = await completedJob(api, key, String(submitted.body['id']));
    expect(results.map(({ email }) => email)).toEqual(sent);
    credits += report.answered + results.length;
  };

  for (let i = 0; i < SWITCHES; i++) {
    await during('switched over', () => pair.switchOver());
    const urls = pair.nodes.map(({ url }) => url);
    await expectPaidOnce(product, urls, credits);
  }
  await during('primary killed', async () => {
    await pair.primary.end('SIGKILL');
    await pair.promote();
  });
  await expectPaidOnce(product, [pair.primary.url], credits);
});
