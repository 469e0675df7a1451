import { sampleOf, soak } from '../../bench/lib/soak.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost } from '../lab/world.js';
import { startProduct, type Product } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

/** Few in a run of all tests; `npm run test:chaos` has ten minutes. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 8);
/** Connections of pools that come and go. */
const SPARE_FILES = 15;

jest.setTimeout(240_000 + SECONDS * 1000);

let lab: Laboratory;
let product: Product;

beforeAll(async () => {
  lab = await startLaboratory(domainWithHost('roomy.example', { otherRecipients: ACCEPTED }));
  product = await startProduct({
    ...laboratoryEnvironment(lab),
  });
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

it(`${SECONDS} seconds of mixed load: no wrong answer, no leaked file descriptor, no wrong charge`, async () => {
  const [api, worker] = await Promise.all([product.startApi(), product.startWorker()]);
  await product.cli('credits', 'grant', product.accountId, '1000000');
  const key = await product.createKey('live');
  const pids = { api: api.process.pid, worker: worker.process.pid };
  const target = { url: api.url, key, domain: 'roomy.example', pids };
  await soak({ ...target, seconds: 3 });
  const warm = { api: sampleOf(pids.api), worker: sampleOf(pids.worker) };

  const { errors, requests, jobsCompleted } = await soak({ ...target, seconds: SECONDS });
  expect(errors).toEqual([]);
  expect(requests).toBeGreaterThan(30);
  expect(jobsCompleted).toBeGreaterThan(0);
  for (const name of ['api', 'worker'] as const) {
    const isBack = async (): Promise<boolean> => sampleOf(pids[name]).files <= warm[name].files + SPARE_FILES;
    expect([name, await waitUntil(isBack, { ms: 60_000, everyMs: 250 })]).toEqual([name, true]);
  }
  expect((await product.cli<{ mismatches: unknown[] }>('ledger', 'audit')).mismatches).toEqual([]);
});
