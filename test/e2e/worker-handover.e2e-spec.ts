import { createConnection, type Connection } from 'mysql2/promise';
import { askedAbout } from '../lab/asked-about.js';
import { spentCredits } from '../support/spent-credits.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

const GRACE_MS = 40_000;
const PER_DOMAIN = 20;
/** A mail host each, that takes a while for each recipient: a worker of one chunk at a time is not through with them soon. */
const domains = Array.from({ length: 10 }, (_, i) => `company${i}.example`);
const world = joinWorlds(
  domainWithHost('slow.example', { otherRecipients: { lines: ACCEPTED, delayMs: 2000 } }),
  ...domains.map((domain) => domainWithHost(domain, { otherRecipients: { lines: ACCEPTED, delayMs: 50 } })),
);
const emails = Array.from(
  { length: domains.length * PER_DOMAIN },
  (_, i) => `person${i}@${domains[i % domains.length]}`,
);
const deferred = ['ada@slow.example', 'bob@slow.example', 'eve@slow.example'];

let lab: Laboratory;
let product: Product;
let api: RunningApi;
let database: Connection;
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    SHUTDOWN_GRACE_MS: String(GRACE_MS),
    WORKER_CONCURRENCY: '1',
    METRICS_PORT: '0',
  });
  database = await createConnection({ uri: product.databaseUrl });
  await database.query('UPDATE plans SET free_verifies_per_month = 0');
  await product.cli('credits', 'grant', product.accountId, '10000');
  key = await product.createKey('live');
  api = await product.startApi();
});
afterAll(async () => {
  await database?.end();
  await product?.close();
  await lab?.stop();
});

it('a stopping worker leaves its job and probes to the next one: nothing is lost, probed or charged twice', async () => {
  const first = await product.startWorker();
  let charged = emails.length;
  const single = async (email: string): Promise<Record<string, unknown>> => {
    const { headers, body } = await api.verify(key, { email, async: true });
    charged += Number(headers.get('x-credits-used'));
    return body;
  };
  const { body } = await api.post('/v1/verify/jobs', key, { emails });
  expect(await Promise.all(deferred.map(single))).toMatchObject(
    deferred.map(() => ({ reason: 'verification_pending' })),
  );
  const isUnderWay = async () => [emails, deferred].every((some) => [...timesAsked(some).values()].some((n) => n > 0));
  expect(await waitUntil(isUnderWay, { ms: 60_000 })).toBe(true);

  const toldAt = performance.now();
  expect(await first.process.stop(GRACE_MS)).toBe(0);
  expect(performance.now() - toldAt).toBeLessThan(GRACE_MS);
  expect(first.process.output()).toContain('"msg":"stopped"');
  expect([...timesAsked(emails).values()].filter((n) => n === 0).length).toBeGreaterThan(0);

  await product.startWorker({ WORKER_CONCURRENCY: '50' });
  const job = async () => {
    const url = `${api.url}/v1/verify/jobs/${String(body['id'])}`;
    return (await (await fetch(url, { headers: { 'x-api-key': key } })).json()) as {
      status: string;
      results: unknown[];
    };
  };
  expect(await waitUntil(async () => (await job()).status === 'completed', { ms: 60_000 })).toBe(true);
  expect((await job()).results).toMatchObject(emails.map((email) => ({ email, result: 'valid' })));
  for (const email of deferred) {
    const isSettled = async () => (await single(email))['result'] === 'valid';
    expect([email, await waitUntil(isSettled, { ms: 60_000 })]).toEqual([email, true]);
  }
  expect([...timesAsked([...emails, ...deferred])].filter(([, times]) => times !== 1)).toEqual([]);
  expect(await spentCredits(database)).toBe(charged);
  expect(await product.cli('ledger', 'audit', '--full')).toEqual({ accounts: 1, mismatches: [] });
});

/** How often mail hosts were asked about each. */
function timesAsked(some: readonly string[]): ReadonlyMap<string, number> {
  const asked = askedAbout(lab, Object.keys(world.hosts));
  return new Map(some.map((email) => [email, asked.get(email) ?? 0]));
}
