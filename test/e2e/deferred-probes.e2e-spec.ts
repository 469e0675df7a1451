import { createConnection, type Connection } from 'mysql2/promise';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, domainWithHosts, joinWorlds, PROBER_NAME } from '../lab/world.js';
import { Redis } from 'ioredis';
import { startProduct, type Product, type RunningApi, type RunningWorker } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

/** What hosts wait for before they answer. */
const [tarpit, late, later, slow] = [gate(), gate(), gate(), gate()];

const world = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED, grace: ACCEPTED }, roundTripMs: 300 }),
  domainWithHost('many.example', { otherRecipients: ACCEPTED, delayMs: 20 }),
  domainWithHost('slow.example', { otherRecipients: { lines: ACCEPTED, until: slow.opened } }),
  domainWithHost('grey.example', {
    recipients: { ada: ACCEPTED },
    greylist: { afterMs: 500, answer: '451 4.7.1 Greylisted, try again later' },
  }),
  domainWithHost('tarpit.example', { recipients: { ada: { lines: ACCEPTED, until: tarpit.opened } } }),
  domainWithHost('late.example', { recipients: { ada: ACCEPTED }, greeting: { lines: '220', until: late.opened } }),
  domainWithHost('later.example', { recipients: { ada: ACCEPTED }, greeting: { lines: '220', until: later.opened } }),
  domainWithHosts('closed.example', [{ tcp: 'refused' }, { tcp: 'dropped' }]),
  domainWithHosts('behind.example', [{ tcp: 'dropped' }, { recipients: { ada: ACCEPTED } }]),
  domainWithHost('blocked.example', { recipients: { ada: ACCEPTED } }),
);

const vault = new AddressVault([{ id: 1, key: 'a-secret-of-this-test' }]);
const HASTY = { VERIFY_DEADLINE_MS: '2000' };

let lab: Laboratory;
let product: Product;
/** Its callers wait for any answer that will come. */
let api: RunningApi;
/** Its callers give up long before a slow host has answered. */
let hasty: RunningApi;
let key: string;
let database: Connection;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    ADDRESS_HASH_SECRET: '1:a-secret-of-this-test',
    GREYLIST_RETRY_MS: '1500',
    VERIFY_DEADLINE_MS: '60000',
  });
  key = await product.createKey('live');
  [api, hasty] = await Promise.all([product.startApi(), product.startApi(HASTY)]);
  database = await createConnection({ uri: product.databaseUrl, timezone: 'Z' });
});
afterAll(async () => {
  await database?.end();
  await product?.close();
  await lab?.stop();
});

/** Asks again, without ever starting a probe by itself, until the check has settled. */
function settled(email: string, as = api): Promise<Record<string, unknown> | null> {
  return waitUntil(
    async () => {
      const { body } = await as.verify(key, { email, async: true });
      return body['reason'] !== 'verification_pending' && body;
    },
    { ms: 60_000, everyMs: 100 },
  );
}

/** Addresses that are left to the worker and have not ended. */
async function pendingRows(): Promise<number | undefined> {
  const [rows] = await database.query('SELECT COUNT(*) AS n FROM pending_probes WHERE active = 1');
  return (rows as { n: number }[])[0]?.n;
}

describe('with a worker', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await product.startWorker();
  });
  afterAll(async () => {
    // A call that asks in the moment in which a probe ends leaves a row that is over as soon as the worker sees it.
    await waitUntil(async () => (await pendingRows()) === 0, { ms: 60_000 });
    await worker?.process.stop();
  });

  describe('an async single', () => {
    it('is pending at once, and soon settled by the worker', async () => {
      const first = await api.verify(key, { email: 'Ada@company.example', async: true, mode: 'enhanced' });
      expect(first).toMatchObject({
        status: 200,
        body: { result: 'unknown', reason: 'verification_pending', deliverable: null, mx: true, freshness: 'fresh' },
      });
      expect(first.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      const settledBody = await settled('ada@company.example');
      expect(settledBody).toMatchObject({ result: 'valid', freshness: 'cached_recent', smtp_diagnosis: null });
      // The probe was as deep as the first call had asked for.
      const enhanced = await api.verify(key, { email: 'ada@company.example', mode: 'enhanced' });
      expect(enhanced.body).toMatchObject({ freshness: 'cached_recent', smtp_diagnosis: 'accepted' });
      expect(enhanced.body['checked_at']).toBe(settledBody?.['checked_at']);
      expect(lab.sessions('mx.company.example')).toHaveLength(1);
    });

    it('is not pending if no probe is needed', async () => {
      const { body } = await api.verify(key, { email: 'info@company.example', async: true });
      expect(body).toMatchObject({ result: 'role', reason: 'role_address' });
      expect((await api.verify(key, { email: 'ada@company.example', async: true, mode: 'quick' })).body).toMatchObject({
        result: 'unknown',
        reason: null,
      });
    });
  });

  describe('concurrent calls for one address', () => {
    it('cause one probe in two processes; every caller gets the answer and pays', async () => {
      const second = await product.startApi();
      const before = await ledgerCharges();
      const email = 'grace@company.example';
      // Its first call takes so long that the other process may have recorded the check by then.
      await second.verify(key, { email, mode: 'quick' });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? api : second).verify(key, { email })),
      );
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect(answers[0]?.body).toMatchObject({ result: 'valid', freshness: 'fresh' });
      expect(lab.sessions('mx.company.example')).toHaveLength(2);
      expect(await ledgerCharges()).toBe(before + 20);
      await second.process.stop();
    });

    it("wait for the worker's probe instead of answering pending", async () => {
      const email = 'joined@company.example';
      await api.verify(key, { email, async: true });
      const { body } = await api.verify(key, { email });
      expect(body).toMatchObject({ result: 'invalid', reason: 'mailbox_not_found' });
      const asked = lab.sessions('mx.company.example').flatMap(({ commands }) => commands);
      expect(asked.filter((line) => line.includes(email))).toHaveLength(1);
    });

    it('wait for the worker if the API must not probe', async () => {
      const portless = await product.startApi({ PROBE_IN_API: 'false' });
      const { body } = await portless.verify(key, { email: 'ada@many.example' });
      expect(body).toMatchObject({ result: 'valid', freshness: 'fresh' });
      await portless.process.stop();
    });
  });

  describe("a host's answer that comes too late for the call", () => {
    it('is obtained by the worker', async () => {
      const first = await hasty.verify(key, { email: 'ada@tarpit.example' });
      expect(first.body).toMatchObject({ result: 'unknown', reason: 'smtp_timeout' });
      tarpit.open();
      expect(await settled('ada@tarpit.example')).toMatchObject({ result: 'valid' });
    });
  });

  describe('greylisting', () => {
    it('is retried automatically', async () => {
      const first = await api.verify(key, { email: 'ada@grey.example' });
      expect(first.body).toMatchObject({ result: 'unknown', reason: 'greylisted' });
      const valid = await waitUntil(
        async () => (await api.verify(key, { email: 'ada@grey.example', async: true })).body['result'] === 'valid',
        { ms: 60_000, everyMs: 200 },
      );
      expect(valid).toBe(true);
      expect(lab.sessions('mx.grey.example')).toHaveLength(2);
    });
  });
});

describe('a single that ends before the worker’s probe of its address', () => {
  let worker: RunningWorker;
  let redis: Redis;
  beforeAll(async () => {
    worker = await product.startWorker({ SMTP_CONNECT_TIMEOUT_MS: '12000' });
    redis = new Redis(product.environment['REDIS_URL'] ?? '');
  });
  afterAll(async () => {
    await redis?.quit();
    await worker?.process.stop();
  });

  /** What the probe under way has let others know. */
  const flight = (email: string, part: 'lease' | 'stage'): Promise<string | null> => {
    const [localPart = '', domain = ''] = email.split('@');
    return redis.get(`mailvet:flight:{${vault.hash({ localPart, domain })}}:${part}`);
  };
  const isKnown = (email: string, stage: string): Promise<boolean | null> =>
    waitUntil(async () => (await flight(email, 'stage')) === stage, { ms: 60_000 });
  const ended = (): Promise<boolean | null> => waitUntil(async () => (await pendingRows()) === 0, { ms: 60_000 });

  it('reports a timeout, and the probe continues', async () => {
    const email = 'ada@late.example';
    await api.verify(key, { email, async: true });
    expect(await isKnown(email, 'greeting')).toBe(true);
    const before = await ledgerCharges();
    const { status, headers, body } = await hasty.verify(key, { email });
    expect([status, body]).toMatchObject([
      200,
      { result: 'unknown', reason: 'smtp_timeout', mx: true, freshness: 'fresh' },
    ]);
    expect(headers.get('retry-after')).toBeNull();
    expect(await ledgerCharges()).toBe(before + 1);
    late.open();
    expect(await settled(email)).toMatchObject({ result: 'valid' });
    expect(lab.sessions('mx.late.example')).toHaveLength(1);
  });

  it('reports the same if the API leaves every probe to the worker', async () => {
    const portless = await product.startApi({ ...HASTY, PROBE_IN_API: 'false' });
    const email = 'ada@later.example';
    await api.verify(key, { email, async: true });
    expect(await isKnown(email, 'greeting')).toBe(true);
    expect(await portless.verify(key, { email, mode: 'enhanced' })).toMatchObject({
      status: 200,
      body: { result: 'unknown', reason: 'smtp_timeout', smtp_diagnosis: null },
    });
    later.open();
    await portless.process.stop();
    expect(await ended()).toBe(true);
  });

  it('reports that no mail host accepted a connection', async () => {
    const email = 'ada@closed.example';
    await api.verify(key, { email, async: true });
    expect(await isKnown(email, 'connect')).toBe(true);
    expect(await hasty.verify(key, { email })).toMatchObject({
      status: 200,
      body: { result: 'unknown', reason: 'smtp_unreachable' },
    });
  });

  it('is pending with Retry-After if nothing is known yet', async () => {
    const email = 'ada@behind.example';
    await api.verify(key, { email, async: true });
    expect(await waitUntil(async () => (await flight(email, 'lease')) !== null, { ms: 60_000 })).toBe(true);
    const { status, headers, body } = await hasty.verify(key, { email });
    expect([status, body]).toMatchObject([200, { result: 'unknown', reason: 'verification_pending' }]);
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await flight(email, 'stage')).toBeNull();
    expect(await ended()).toBe(true);
    expect((await api.verify(key, { email })).body).toMatchObject({ result: 'valid' });
  });
});

describe('no probe is lost', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => `person-${i}@many.example`);

  it('when Redis is emptied while probes wait', async () => {
    const before = lab.sessions('mx.many.example').length;
    await api.post('/v1/verify/batch', key, { emails: hundred });
    expect(await pendingRows()).toBe(100);
    const redis = new Redis(product.environment['REDIS_URL'] ?? '');
    await redis.flushdb();
    await redis.quit();
    const worker = await product.startWorker();
    expect(await waitUntil(async () => (await pendingRows()) === 0, { ms: 60_000, everyMs: 200 })).toBe(true);
    const { body } = await api.post('/v1/verify/batch', key, { emails: hundred });
    expect((body['results'] as { result: string }[]).every(({ result }) => result === 'valid')).toBe(true);
    expect(lab.sessions('mx.many.example').length - before).toBe(100);
    await worker.process.stop();
  });

  it('when a worker is killed in the middle of a probe', async () => {
    const first = await product.startWorker();
    await api.verify(key, { email: 'ada@slow.example', async: true });
    expect(await waitUntil(async () => lab.sessions('mx.slow.example').length === 1, { ms: 60_000 })).toBe(true);
    first.process.kill('SIGKILL');
    slow.open();
    const second = await product.startWorker();
    expect(await waitUntil(async () => (await pendingRows()) === 0, { ms: 60_000, everyMs: 200 })).toBe(true);
    expect(await settled('ada@slow.example')).toMatchObject({ result: 'valid' });
    // One more per crash of its holder.
    expect(lab.sessions('mx.slow.example')).toHaveLength(2);
    await second.process.stop();
  });
});

describe('when our own network fails', () => {
  it('refunds every charge that waits for the probe, and later calls are free', async () => {
    const email = 'ada@many-more.example';
    lab.setDns('many-more.example', { MX: [[10, 'mx.many.example']] });
    const charged = await api.verify(key, { email, async: true });
    await api.verify(key, { email, async: true });
    expect(charged.body).toMatchObject({ reason: 'verification_pending' });
    // A proxy that does not exist: no mail host is reached, by a fault of ours.
    const worker = await product.startWorker({ SMTP_EGRESS: `socks5://127.0.0.1:1=${PROBER_NAME}` });
    const gone = await waitUntil(
      async () => {
        const answer = await api.verify(key, { email, async: true });
        return answer.status === 503 && answer;
      },
      { ms: 60_000, everyMs: 1000 },
    );
    expect(gone).toMatchObject({ body: { error: { code: 'verify_unavailable' } } });
    expect(gone && gone.headers.get('x-credits-used')).toBe('0');
    const [rows] = await database.query(
      `SELECT SUM(CASE WHEN kind = 'charge' THEN -free_verifies ELSE 0 END) AS charged,
         SUM(CASE WHEN kind = 'refund' THEN free_verifies ELSE 0 END) AS refunded FROM ledger_entries`,
    );
    const [{ refunded }] = rows as [{ charged: string; refunded: string }];
    expect(Number(refunded)).toBeGreaterThanOrEqual(2);
    expect(await product.cli('ledger', 'audit', '--full')).toMatchObject({ mismatches: [] });
    expect(await product.cli<object>('queue', 'status')).toBeDefined();
    await worker.process.stop();
  });
});

describe('the blocklist', () => {
  it('applies to cached results within seconds, and is undone without a probe', async () => {
    const email = 'ada@blocked.example';
    const verdict = async () => (await api.verify(key, { email })).body;
    expect(await verdict()).toMatchObject({ result: 'valid' });
    await product.cli('blocklist', 'add', 'blocked.example', '--label', 'impersonation', '--note', 'internal');
    const blocked = await waitUntil(async () => (await verdict())['reason'] === 'blocked_domain', { ms: 60_000 });
    expect(blocked).toBe(true);
    await product.cli('blocklist', 'remove', 'blocked.example');
    expect(await waitUntil(async () => (await verdict())['result'] === 'valid', { ms: 60_000 })).toBe(true);
    expect(lab.sessions('mx.blocked.example')).toHaveLength(1);
  });
});

async function ledgerCharges(): Promise<number> {
  const [rows] = await database.query("SELECT COUNT(*) AS n FROM ledger_entries WHERE kind = 'charge'");
  return (rows as { n: number }[])[0]?.n ?? 0;
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
