import { createConnection } from 'mysql2/promise';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

type Entry = Record<string, unknown>;

const DOMAINS = 40;
const domains = Array.from({ length: DOMAINS }, (_, i) => `company-${i}.example`);
/** Mailboxes whose number is even exist. */
const mailboxes = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`person-${2 * i}`, ACCEPTED]));
const world = joinWorlds(
  ...domains.map((domain) => domainWithHost(domain, { recipients: mailboxes, delayMs: 20 })),
  domainWithHost('catch-all.example', { otherRecipients: ACCEPTED }),
  {
    dns: { 'no-mail.example': { MX: [[0, '.']] }, 'lame.example': { fault: { servfail: true } } },
    hosts: {},
  },
);
const hundred = Array.from({ length: 100 }, (_, i) => `person-${i}@${domains[i % DOMAINS]}`);

let lab: Laboratory;
let product: Product;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    ADDRESS_HASH_SECRET: '1:a-secret-of-this-test',
  });
  key = await product.createKey('live');
  api = await product.startApi();
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

const batch = (emails: readonly unknown[], more: object = {}, as = key): Promise<Answered> =>
  api.post('/v1/verify/batch', as, { emails, ...more });
const entriesOf = ({ body }: Answered): Entry[] => body['results'] as Entry[];

/** Asks again until nothing is pending. */
async function settled(emails: readonly string[], more: object = {}): Promise<Entry[] | null> {
  return waitUntil(
    async () => {
      const entries = entriesOf(await batch(emails, more));
      return entries.every(({ reason }) => reason !== 'verification_pending') && entries;
    },
    { ms: 60_000, everyMs: 200 },
  );
}

/** An account of its own, with so many credits and no free verifies left to speak of. */
async function accountWith(credits: number): Promise<{ id: string; key: string }> {
  const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Poor', '--plan', 'free');
  if (credits > 0) await product.cli('credits', 'grant', id, String(credits));
  const { key: own } = await product.cli<{ key: string }>('key', 'create', id, '--mode', 'live');
  const database = await createConnection({ uri: product.databaseUrl, timezone: 'Z' });
  // As if the month's free verifies had been used: what is left is credits.
  await database.query("UPDATE plans SET free_verifies_per_month = 0 WHERE name = 'free'");
  await database.end();
  return { id, key: own };
}

describe('POST /v1/verify/batch', () => {
  it('answers a hundred new addresses at once as pending, and the worker settles them', async () => {
    const first = await batch(hundred);
    expect(first.status).toBe(200);
    expect(entriesOf(first).map(({ email, reason }) => [email, reason])).toEqual(
      hundred.map((email) => [email, 'verification_pending']),
    );
    expect(first.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(lab.totalSessions).toBe(0);
    const worker = await product.startWorker();
    const entries = await settled(hundred);
    expect(entries?.map(({ result, reason, freshness }) => [result, reason, freshness])).toEqual(
      hundred.map((_, i) =>
        i % 2 === 0 ? ['valid', 'mailbox_accepts', 'cached_recent'] : ['invalid', 'mailbox_not_found', 'cached_recent'],
      ),
    );
    // One session each: nobody was asked twice, however often the batch was sent.
    expect(lab.totalSessions).toBe(100);
    const checkedAt = entries?.map(({ checked_at: at }) => at);
    const again = entriesOf(await batch(hundred));
    expect(again.map(({ checked_at: at }) => at)).toEqual(checkedAt);
    await worker.process.stop();
  });

  it('stores no address in the cache tables', async () => {
    await batch(['pending-secret@company-1.example']);
    const database = await createConnection({ uri: product.databaseUrl });
    const dump = JSON.stringify([
      await database.query('SELECT *, CAST(facts AS CHAR) AS facts_text FROM cached_checks'),
      await database.query('SELECT *, HEX(sealed_address) AS sealed_text FROM pending_probes'),
    ]);
    await database.end();
    expect(dump).toContain('company-1.example');
    expect(dump).not.toMatch(/person-\d|pending-secret|@/);
    expect(dump).not.toContain(Buffer.from('pending-secret').toString('hex').toUpperCase());
  });

  it('answers each entry separately, in the order sent', async () => {
    const sent = [
      'person-0@company-0.example',
      'not an address',
      42,
      'someone@no-mail.example',
      'someone@lame.example',
      'info@company-0.example',
      'PERSON-0@Company-0.example',
      `${'a'.repeat(1100)}@company-0.example`,
    ];
    const { status, headers, body } = await batch(sent);
    expect(status).toBe(200);
    expect(body['results']).toMatchObject([
      { email: 'person-0@company-0.example', result: 'valid', freshness: 'cached_recent' },
      { email: 'not an address', error: 'invalid_email' },
      { email: null, error: 'invalid_email' },
      { result: 'invalid', reason: 'no_mx' },
      { result: 'unknown', reason: 'smtp_unreachable' },
      { result: 'role', reason: 'role_address' },
      { email: 'person-0@company-0.example', result: 'valid' },
      { email: sent[7], error: 'invalid_email' },
    ]);
    expect(Object.keys((body['results'] as Entry[])[1] ?? {})).toEqual(['email', 'error']);
    expect(headers.get('retry-after')).toBeNull();
    expect(headers.get('x-credits-used')).toBe('0');
  });

  it('verifies as many entries as can be paid, and charges only for them', async () => {
    const poor = await accountWith(3);
    const sent = ['a@no-mail.example', 'b b', 'c@no-mail.example', 'd@no-mail.example', 'e@no-mail.example', 'f f'];
    const { status, headers, body } = await batch(sent, {}, poor.key);
    expect(status).toBe(200);
    expect(body['results']).toMatchObject([
      { result: 'invalid' },
      { error: 'invalid_email' },
      { result: 'invalid' },
      { result: 'invalid' },
      { email: 'e@no-mail.example', error: 'insufficient_credits' },
      { email: 'f f', error: 'insufficient_credits' },
    ]);
    expect([headers.get('x-credits-used'), headers.get('x-credits-remaining')]).toEqual(['3', '0']);
    const broke = await batch(['x x', 'a@no-mail.example', 'b@no-mail.example'], {}, poor.key);
    expect(broke).toMatchObject({ status: 402, body: { error: { code: 'insufficient_credits' } } });
    expect(broke.headers.get('x-credits-required')).toBe('2');
    expect(await batch(['x x'], {}, poor.key)).toMatchObject({ status: 200 });
  });

  it('charges the standard rate for an enhanced check at an accept-all host', async () => {
    const owner = await accountWith(4);
    const worker = await product.startWorker();
    const first = await batch(['anybody@catch-all.example'], { mode: 'enhanced' }, owner.key);
    expect(first.headers.get('x-credits-used')).toBe('3');
    const found = await waitUntil(
      async () => {
        // Quick costs nothing, and what is known of the domain answers it.
        const [entry] = entriesOf(await batch(['else@catch-all.example'], { mode: 'quick' }, owner.key));
        return entry?.['result'] === 'catch_all' && entry;
      },
      { ms: 60_000, everyMs: 1000 },
    );
    expect(found).toMatchObject({ reason: 'catch_all_domain', catch_all: true });
    const second = await batch(['other@catch-all.example'], { mode: 'enhanced' }, owner.key);
    expect(second.headers.get('x-credits-used')).toBe('1');
    expect(entriesOf(second)).toMatchObject([{ result: 'catch_all', reason: 'catch_all_domain' }]);
    await worker.process.stop();
  });

  it('charges once per Idempotency-Key, and repeats the answer', async () => {
    const idempotent = { 'idempotency-key': 'one' };
    const body = { emails: ['person-0@company-0.example', 'person-1@company-1.example'] };
    const first = await api.post('/v1/verify/batch', key, body, idempotent);
    const second = await api.post('/v1/verify/batch', key, body, idempotent);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await api.post('/v1/verify/batch', key, { emails: ['x@no-mail.example'] }, idempotent);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } });
  });

  it.each<[object, string]>([
    [{}, 'emails is required'],
    [{ emails: [] }, 'emails must have at least 1 entry'],
    [{ emails: Array.from({ length: 101 }, () => 'a@b.example') }, 'emails must have at most 100 entries'],
    [{ emails: 'a@b.example' }, 'emails must be a list'],
    [{ emails: ['a@b.example'], mode: 'deep' }, 'mode must be one of quick, standard, enhanced'],
    [{ emails: ['a@b.example'], max_age: -1 }, 'max_age must be at least 0'],
    [{ emails: ['a@b.example'], max_age: 1.5 }, 'max_age must be a whole number'],
  ])('explains what is wrong with %j', async (body, message) => {
    expect(await api.post('/v1/verify/batch', key, body)).toMatchObject({
      status: 422,
      body: { error: { code: 'validation_failed', message: expect.stringContaining(message) } },
    });
  });
});
