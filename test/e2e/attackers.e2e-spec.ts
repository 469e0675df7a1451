import { sampleOf } from '../../bench/lib/soak.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { freePort } from '../support/free-port.js';
import { startProduct, type Product, type RunningApi, type RunningWorker } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';
import { FAILURE_THRESHOLD, watchLiveness } from '../support/watch-liveness.js';
import { ATTACK_WORLD } from './attackers/attack-world.js';
import { percentile, serveHonestCustomer } from './attackers/honest-customer.js';
import { startAttackers, type Attackers } from './attackers/start-attackers.js';

/** Few in a run of all tests; `npm run test:chaos` has ten minutes. */
const SECONDS = Number(process.env['ATTACK_SECONDS'] ?? 15);
const IS_SOAK = SECONDS >= 300;
const CALM_SECONDS = Math.min(30, SECONDS / 3);
/** The heap that a pod of 512 MiB gives. */
const POD = { NODE_OPTIONS: '--max-old-space-size=256' };
/** In a run of all tests others share the processors: this much is not the service's doing. */
const OTHER_TESTS_MS = IS_SOAK ? 0 : 1500;

jest.setTimeout(420_000 + SECONDS * 2000);

let lab: Laboratory;
let product: Product;
let api: RunningApi;
let worker: RunningWorker;
let metricsUrl: string;
let attackers: Attackers;

beforeAll(async () => {
  lab = await startLaboratory(ATTACK_WORLD);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    // The limits that ship, not those of a laboratory.
    SMTP_MAX_CONNECTIONS: '2',
    SMTP_RECIPIENTS_PER_MINUTE: '6000',
  });
  const metricsPort = String(await freePort());
  metricsUrl = `http://127.0.0.1:${metricsPort}`;
  [api, worker] = await Promise.all([
    product.startApi({ ...POD, METRICS_PORT: metricsPort }),
    product.startWorker(POD),
  ]);
});
afterAll(async () => {
  await attackers?.stop();
  await product?.close();
  await lab?.stop();
});

it('concurrent attacks cost an honest customer no answer and at most double its latency', async () => {
  await product.cli('credits', 'grant', product.accountId, '1000000');
  const key = await product.createKey('live');
  const honest = { url: api.url, key, domain: 'honest.example', pid: api.process.pid };
  await serveHonestCustomer(honest, 3, 'warm');
  const calm = await serveHonestCustomer(honest, CALM_SECONDS, 'calm');

  const watches = {
    api: watchLiveness(metricsUrl, api.process.pid),
    worker: watchLiveness(worker.url, worker.process.pid),
  };
  attackers = startAttackers({ url: api.url, ...(await attackersKeys()) });
  const attacked = await serveHonestCustomer(honest, SECONDS, 'attacked');
  await waitUntil(wereAllAttacksMade, { ms: 240_000, everyMs: 250 });
  const counts = await attackers.counts();
  const samples = { api: sampleOf(api.process.pid), worker: sampleOf(worker.process.pid) };
  const liveness = { api: await watches.api.stop(), worker: await watches.worker.stop() };
  await attackers.stop();

  const p95 = { calm: percentile(calm.latenciesMs, 95), attacked: percentile(attacked.latenciesMs, 95) };
  console.log(
    JSON.stringify({ p95, jobs: attacked.jobs, calls: attacked.latenciesMs.length, counts, samples, liveness }),
  );
  expect({ calm: calm.faults, attacked: attacked.faults }).toEqual({ calm: [], attacked: [] });
  expect(attacked.jobs).toBeGreaterThan(0);
  expect(Object.entries(counts).filter(([, made]) => made === 0)).toEqual([]);
  for (const { asked, failedInARow } of Object.values(liveness)) {
    expect(asked).toBeGreaterThan(FAILURE_THRESHOLD);
    expect(failedInARow).toBeLessThan(FAILURE_THRESHOLD);
  }
  expect(p95.attacked).toBeLessThan(2 * p95.calm + OTHER_TESTS_MS);
  expect(await Promise.all([isUp(api.url), isUp(worker.url)])).toEqual([true, true]);
  expect((await product.cli<{ mismatches: unknown[] }>('ledger', 'audit')).mismatches).toEqual([]);
});

async function wereAllAttacksMade(): Promise<boolean> {
  return Object.values(await attackers.counts()).every((made) => made > 0);
}

async function attackersKeys(): Promise<{ liveKeys: string[]; testKey: string }> {
  const keyOf = async (mode: 'live' | 'test'): Promise<string> => {
    const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Attacker', '--plan', 'free');
    return (await product.cli<{ key: string }>('key', 'create', id, '--mode', mode)).key;
  };
  const liveKeys = [await keyOf('live'), await keyOf('live'), await keyOf('live')];
  return { liveKeys, testKey: await keyOf('test') };
}

async function isUp(url: string): Promise<boolean> {
  const { status } = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(30_000) });
  return status === 200;
}
