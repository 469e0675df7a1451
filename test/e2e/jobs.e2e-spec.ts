import { createConnection } from 'mysql2/promise';
import { jobWorld } from '../integration/job-world.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

type Entry = Record<string, unknown>;

const usual = jobWorld({ domains: 20, addresses: 200, roundTripMs: 5 });
const large = Array.from({ length: 600 }, (_, i) => `person-${i}@far-${i % 3}.example`);
const world = joinWorlds(
  usual.world,
  domainWithHost('company.example', { recipients: { ada: ACCEPTED } }),
  domainWithHost('other.example', { recipients: { ada: ACCEPTED } }),
  ...['far-0.example', 'far-1.example', 'far-2.example'].map((domain) =>
    domainWithHost(domain, { otherRecipients: { lines: ACCEPTED, delayMs: 100 }, pipelining: false }),
  ),
);

let lab: Laboratory;
let product: Product;
let api: RunningApi;
let key: string;
let strangersKey: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    GREYLIST_RETRY_MS: '1500',
  });
  key = await product.createKey('live');
  const stranger = await product.cli<{ id: string }>('account', 'create', '--name', 'Stranger', '--plan', 'scale');
  strangersKey = (await product.cli<{ key: string }>('key', 'create', stranger.id, '--mode', 'live')).key;
  [api] = await Promise.all([product.startApi(), product.startWorker({ WORKER_CONCURRENCY: '4' })]);
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

const submit = (emails: readonly unknown[], as = key, headers: Record<string, string> = {}): Promise<Answered> =>
  api.post('/v1/verify/jobs', as, { emails }, headers);

const ask = (path: string, as = key, { method = 'GET', accept = 'application/json' } = {}): Promise<Response> =>
  fetch(`${api.url}/v1/verify/jobs${path}`, { method, headers: { 'x-api-key': as, accept } });

const read = async (id: unknown, as = key): Promise<Entry> => (await (await ask(`/${String(id)}`, as)).json()) as Entry;

const resultsOf = (job: Entry | null): Entry[] => (job?.['results'] ?? []) as Entry[];

/** Polls a job until it is completed; null: it was not in time. */
function completed(id: unknown, as = key): Promise<Entry | null> {
  return waitUntil(
    async () => {
      const body = await read(id, as);
      return body['status'] === 'completed' && body;
    },
    { ms: 90_000, everyMs: 200 },
  );
}

describe('a job', () => {
  const emails = [...usual.emails, 'no address', ` ${usual.emails[0]!.toUpperCase()}`];
  let submitted: Answered;
  let job: Entry | null;
  beforeAll(async () => {
    submitted = await submit(emails, key, { 'idempotency-key': 'the list of today' });
    job = await completed(submitted.body['id']);
  });

  it('is accepted at once, with Location and Retry-After', () => {
    expect(submitted.status).toBe(202);
    expect(submitted.headers.get('location')).toBe(`/v1/verify/jobs/${String(submitted.body['id'])}`);
    expect(submitted.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(submitted.headers.get('x-credits-used')).not.toBeNull();
    expect(submitted.body).toMatchObject({
      status: 'processing',
      total: emails.length,
      progress: { total: emails.length, done: 1 },
    });
    expect(submitted.body).not.toHaveProperty('results');
  });

  it('has the right result for each address, in order', () => {
    expect(job).toMatchObject({
      id: submitted.body['id'],
      status: 'completed',
      total: emails.length,
      progress: { total: emails.length, done: emails.length },
    });
    const results = resultsOf(job);
    expect(results.map(({ email, result, reason, error }) => ({ email, result, reason, error }))).toEqual([
      ...usual.emails.map((email) => ({ email, ...usual.expect(email, 'standard'), error: undefined })),
      { email: 'no address', result: undefined, reason: undefined, error: 'invalid_email' },
      { email: usual.emails[0], ...usual.expect(usual.emails[0]!, 'standard'), error: undefined },
    ]);
  });

  it('is read in pages, and as CSV', async () => {
    const id = String(submitted.body['id']);
    const page = (await (await ask(`/${id}?offset=10&limit=5`)).json()) as Entry;
    expect(page['results']).toEqual(resultsOf(job).slice(10, 15));
    const csv = await ask(`/${id}`, key, { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    const lines = (await csv.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + emails.length);
    expect(lines[0]).toMatch(/^email,result,/);
    expect(lines.slice(1, -2).map((line) => line.split(',')[0])).toEqual(usual.emails);
  });

  it('is returned again, for free, for a repeated Idempotency-Key', async () => {
    const again = await submit(emails, key, { 'idempotency-key': 'the list of today' });
    expect(again).toMatchObject({ status: 202, body: submitted.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('x-credits-used')).toBe('0');
    const { jobs } = (await (await ask('')).json()) as { jobs: Entry[] };
    expect(jobs.map(({ id }) => id)).toEqual([submitted.body['id']]);
  });

  it('is listed only for its account', async () => {
    const { results: _, ...head } = job!;
    const counts: Record<string, number> = {
      valid: 0,
      invalid: 0,
      catch_all: 0,
      disposable: 0,
      role: 0,
      unknown: 0,
      error: 0,
    };
    for (const { result = 'error' } of resultsOf(job)) counts[result as string]! += 1;
    expect(await (await ask('')).json()).toEqual({ jobs: [{ ...head, name: null, counts }], next_cursor: null });
    expect(await (await ask('', strangersKey)).json()).toEqual({ jobs: [], next_cursor: null });
  });
});

it('a foreign, malformed, unknown, expired or deleted job gets the same 404', async () => {
  const [theirs, old, gone] = [
    await submit(['ada@other.example'], strangersKey),
    await submit(['ada@company.example']),
    await submit(['bob@company.example']),
  ].map(({ body }) => String(body['id']));
  for (const id of [old, gone]) expect(await completed(id)).not.toBeNull();
  const database = await createConnection(product.databaseUrl);
  await database.query(
    `UPDATE jobs SET created_at = created_at - INTERVAL 8 DAY, expires_at = expires_at - INTERVAL 8 DAY
      WHERE id = UNHEX(REPLACE(?, '-', ''))`,
    [old],
  );
  await database.end();
  expect((await ask(`/${gone}`, key, { method: 'DELETE' })).status).toBe(204);

  const answers = await Promise.all(
    [theirs, old, gone, 'nonsense', '01890000-0000-7000-8000-000000000000'].map(async (id) => {
      const response = await ask(`/${id}`);
      const { error } = (await response.json()) as { error: Entry };
      return { status: response.status, error: { ...error, request_id: null } };
    }),
  );
  expect(answers[0]).toMatchObject({ status: 404, error: { code: 'not_found' } });
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect((await ask(`/${theirs}`, key, { method: 'DELETE' })).status).toBe(404);
  expect(await completed(theirs, strangersKey)).toMatchObject({ results: [{ result: 'valid' }] });
});

it('a small job completes while a big one of another account is processed', async () => {
  const big = (await submit(large)).body['id'];
  const isUnderWay = async () => ((await read(big))['progress'] as { done: number }).done > 0;
  expect(await waitUntil(isUnderWay, { ms: 60_000 })).toBe(true);
  const small = (await submit(['ada@company.example', 'nemo@company.example'], strangersKey)).body['id'];
  const results = resultsOf(await completed(small, strangersKey));
  expect(results.map(({ result }) => result)).toEqual(['valid', 'invalid']);
  expect(await read(big)).toMatchObject({ status: 'processing' });
  const job = await completed(big);
  expect(resultsOf(job).every(({ result }) => result === 'valid')).toBe(true);
});
