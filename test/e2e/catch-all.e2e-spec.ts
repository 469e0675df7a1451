import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

const world = joinWorlds(
  domainWithHost('everybody.example', { otherRecipients: ACCEPTED }),
  domainWithHost('crowd.example', { otherRecipients: ACCEPTED, delayMs: 50 }),
);

let lab: Laboratory;
let product: Product;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    ADDRESS_HASH_SECRET: '1:a-secret-of-this-test',
    VERIFY_DEADLINE_MS: '60000',
  });
  key = await product.createKey('live');
  [api] = await Promise.all([product.startApi(), product.startWorker()]);
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

const enhanced = { mode: 'enhanced' } as const;

describe('a domain that accepts everybody', () => {
  it('is asked again for a caller to whom the finding is too old, who pays for that', async () => {
    await api.verify(key, { email: 'ada@everybody.example', ...enhanced });
    const emails = ['bob@everybody.example'];
    const results = async (maxAge: number | null) => {
      const { body } = await api.post('/v1/verify/batch', key, { emails, ...enhanced, max_age: maxAge });
      return body['results'];
    };
    expect(await results(0)).toMatchObject([{ reason: 'verification_pending' }]);
    const asked = () => lab.sessions('mx.everybody.example').some(({ commands }) => commands.join().includes('bob@'));
    expect(await waitUntil(async () => asked(), { ms: 60_000 })).toBe(true);
    const recorded = { result: 'catch_all', freshness: 'cached_recent', smtp_diagnosis: 'accepted' };
    await waitUntil(async () => ((await results(3600)) as { freshness: string }[])[0]?.freshness === 'cached_recent', {
      ms: 60_000,
    });
    expect(await results(null)).toMatchObject([recorded]);
  });

  it('stays a catch-all for other checks, however young their facts must be', async () => {
    await api.verify(key, { email: 'cid@everybody.example', ...enhanced });
    for (const mode of ['standard', 'quick']) {
      const { body } = await api.verify(key, { email: 'cid@everybody.example', mode, max_age: 0 });
      expect(body).toMatchObject({ result: 'catch_all', reason: 'catch_all_domain', deliverable: null });
    }
  });

  it('is a catch-all for every caller who waits for the worker, though it is asked for some only', async () => {
    const portless = await product.startApi({ PROBE_IN_API: 'false' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => portless.verify(key, { email: `person-${i}@crowd.example`, ...enhanced })),
    );
    expect(new Set(answers.map(({ body }) => body['reason']))).toEqual(new Set(['catch_all_domain']));
  });
});
