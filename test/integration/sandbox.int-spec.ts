import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { PROBER_NAME } from '../lab/world.js';
import { ask, BillingBench, type Answered, type Asked, type Caller } from './billing-api.js';
import { balanceOf } from './billing-support.js';
import { addresses, askJobs, submitJob, type JobAnswer } from './jobs-api.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let other: NestFastifyApplication;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  [api, other] = [await bench.startApi(), await bench.startApi()];
  await bench.database.dataSource.query(
    'INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month) VALUES (?, 2, 100, 1000)',
    ['two-a-minute'],
  );
  caller = await bench.newCaller('free-100', { purchased: 7, gifted: 2 });
});
afterAll(() => bench.close());

const TABLE = ['valid', 'invalid', 'catch-all', 'disposable', 'role', 'unknown', 'pending', 'async', 'someone'];
/** Of domains that the laboratory has, and of one that nobody has. */
const emails = TABLE.flatMap((localPart) => [`${localPart}@company.example`, `${localPart}@nowhere.example`]);

const single = (email: string, more: Asked = {}, key = caller.test): Promise<Answered> =>
  ask(api, key, { payload: JSON.stringify({ email }), ...more });
const batch = (sent: readonly unknown[], more: Asked = {}): Promise<Answered> =>
  ask(api, caller.test, { url: '/v1/verify/batch', payload: JSON.stringify({ emails: sent }), ...more });
const idOf = ({ body }: JobAnswer): string => String(body['id']);
const errorOf = ({ status, body }: Pick<Answered, 'status' | 'body'>): [number, unknown] => [
  status,
  (body['error'] as { code?: string } | undefined)?.code,
];

/** Questions that somebody's addresses were the reason for: what the API asks about itself when it starts is not one. */
const dnsQueries = (): number => bench.lab.totalDnsQueries - bench.lab.dnsQueries(PROBER_NAME);

/** How many rows each table of the database has. */
async function rowCounts(): Promise<Record<string, number>> {
  const { dataSource } = bench.database;
  const tables = await dataSource.query<{ name: string }[]>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await dataSource.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM \`${name}\``);
    counts[name] = Number(row!.n);
  }
  return counts;
}

/** Moves the moment at which a job is completed to before or after now, by the database's clock. */
async function complete(jobId: string, when: 'past' | 'future'): Promise<void> {
  const at = when === 'past' ? 'created_at' : 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR';
  await bench.database.dataSource.query(`UPDATE jobs SET completed_at = ${at} WHERE id = ?`, [idToBytes(jobId)]);
}

async function jobRow(jobId: string): Promise<Record<string, unknown>> {
  const [row] = await bench.database.dataSource.query<Record<string, unknown>[]>(
    `SELECT sandbox, status, stage, total, done, mode,
        TIMESTAMPDIFF(MICROSECOND, created_at, completed_at) / 1000 AS takes_ms FROM jobs WHERE id = ?`,
    [idToBytes(jobId)],
  );
  return { ...row, takes_ms: Number(row!['takes_ms']) };
}

describe('a sandbox call', () => {
  it('costs nothing, contacts no host and stores nothing but jobs', async () => {
    const [before, balance] = [await rowCounts(), await balanceOf(bench.database.dataSource, caller.accountId)];
    const [questions, sessions] = [dnsQueries(), bench.lab.totalSessions];
    for (const mode of ['quick', 'standard', 'enhanced']) {
      for (const email of emails) {
        for (const async of [true, false]) {
          const payload = JSON.stringify({ email, mode, async, max_age: 0 });
          expect((await single(email, { payload })).status).toBe(200);
        }
      }
      const all = JSON.stringify({ emails, mode, max_age: 0 });
      expect((await batch([], { payload: all })).status).toBe(200);
      if (mode !== 'quick') expect((await submitJob(api, caller.test, emails, { mode })).status).toBe(202);
    }
    for (const localPart of ['ratelimit', 'servererror']) await single(`${localPart}@company.example`);
    expect(dnsQueries()).toBe(questions);
    expect(bench.lab.totalSessions).toBe(sessions);
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toEqual(balance);
    const [{ jobs, job_entries: entries, ...rest }, { jobs: jobsNow, job_entries: entriesNow, ...now }] = [
      before,
      await rowCounts(),
    ];
    expect(now).toEqual(rest);
    expect([jobsNow! - jobs!, entriesNow! - entries!]).toEqual([2, 2 * emails.length]);
  });

  it.each([
    ['a result', () => single('valid@company.example'), 200],
    ['an error that was asked for', () => single('servererror@company.example'), 503],
    ['a refusal that was asked for', () => single('ratelimit@company.example'), 429],
    ['a batch', () => batch(emails), 200],
    ['a refused batch', () => batch(['ratelimit@company.example']), 429],
    ['a fault in the call', () => batch([]), 422],
    ['a job', () => submitJob(api, caller.test, emails), 202],
    ['a list of jobs', () => askJobs(api, caller.test), 200],
  ])('has the real limits and the real balance: %s', async (_, asking, status) => {
    const answer = await asking();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-sandbox': 'true',
      'x-credits-remaining': '9',
      'x-verify-free-remaining': '100',
      'x-credits-used': '0',
      'x-ratelimit-limit': '60000',
      'x-ratelimit-remaining': expect.stringMatching(/^59\d{3}$/),
      'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
      'x-request-id': expect.stringMatching(/./),
    });
  });

  it('is refused for its key or body before its requested failure', async () => {
    const limited = 'ratelimit@company.example';
    const bodyOf = (fields: object): Asked => ({ payload: JSON.stringify(fields) });
    expect(errorOf(await ask(api, null, bodyOf({ email: limited })))).toEqual([401, 'unauthorized']);
    expect(errorOf(await single('', bodyOf({ email: limited, mode: 'deep' })))).toEqual([422, 'validation_failed']);
    expect(errorOf(await batch([], bodyOf({ emails: Array<string>(101).fill(limited) })))).toEqual([
      422,
      'validation_failed',
    ]);
    expect(errorOf(await submitJob(api, caller.test, [limited], { mode: 'quick' }))).toEqual([
      422,
      'validation_failed',
    ]);
    const idempotencyKey = { headers: { 'idempotency-key': '' } };
    expect(errorOf(await single(limited, idempotencyKey))).toEqual([422, 'validation_failed']);
    const busy = await bench.newCaller('two-a-minute');
    await Promise.all([single('valid@company.example', {}, busy.test), single(limited, {}, busy.test)]);
    const refused = await single('servererror@company.example', {}, busy.test);
    expect(errorOf(refused)).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers).toMatchObject({ 'x-sandbox': 'true', 'x-ratelimit-remaining': '0' });
  });

  it('needs no credits', async () => {
    const poor = await bench.newCaller('free-0');
    const answer = await single(
      'valid@company.example',
      { payload: '{"email":"valid@x.example","mode":"enhanced"}' },
      poor.test,
    );
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'x-credits-remaining': '0', 'x-verify-free-remaining': '0' });
    expect((await submitJob(api, poor.test, emails, { mode: 'enhanced' })).status).toBe(202);
  });
});

describe('an Idempotency-Key of a sandbox call', () => {
  const keyed = (key: string): Asked => ({ headers: { 'idempotency-key': key } });

  it.each([
    ['single', (key: string) => single('someone@company.example', keyed(key)), 200],
    ['batch', (key: string) => batch(['someone@company.example', 7], keyed(key)), 200],
    ['jobs', (key: string) => submitJob(api, caller.test, ['someone@company.example'], keyed(key) as object), 202],
  ])('returns the first answer of %s', async (what, asking, status) => {
    const [first, again] = [await asking(what), await asking(what)];
    expect(first.status).toBe(status);
    expect(again).toMatchObject({ status, text: first.text });
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-sandbox': 'true', 'x-credits-used': '0' });
  });

  it('is separate from that of a live call', async () => {
    await single('someone@company.example', keyed('shared'));
    const live = await single('info@company.example', keyed('shared'), caller.live);
    expect([live.status, live.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(live.body).toMatchObject({ email: 'info@company.example', reason: 'role_address' });
    expect(errorOf(await single('other@company.example', keyed('shared')))).toEqual([409, 'idempotency_conflict']);
  });

  it('is free again after a requested failure', async () => {
    expect(errorOf(await single('ratelimit@company.example', keyed('failed')))[0]).toBe(429);
    expect(errorOf(await single('servererror@company.example', keyed('failed')))[0]).toBe(503);
    expect((await single('valid@company.example', keyed('failed'))).status).toBe(200);
  });
});

describe('a sandbox job', () => {
  it('is processing at the submit and completed at the first read, without a worker', async () => {
    const sent = ['valid@company.example', 'nothing', 'servererror@company.example'];
    const submitted = await submitJob(api, caller.test, sent);
    expect(submitted.body).toMatchObject({
      status: 'processing',
      total: 3,
      progress: { total: 3, done: 1 },
    });
    expect(submitted.headers).toMatchObject({
      location: `/v1/verify/jobs/${idOf(submitted)}`,
      'retry-after': '2',
    });
    const read = await askJobs(other, caller.test, { path: `/${idOf(submitted)}` });
    expect(Object.keys(read.body)).toEqual([...Object.keys(submitted.body), 'results']);
    expect(read.body).toMatchObject({
      ...submitted.body,
      status: 'completed',
      progress: { total: 3, done: 3 },
      results: [
        { email: 'valid@company.example', result: 'valid' },
        { email: 'nothing', error: 'invalid_email' },
        { email: 'servererror@company.example', error: 'verify_unavailable' },
      ],
    });
    const again = await askJobs(api, caller.test, { path: `/${idOf(submitted)}` });
    expect(again.text).toBe(read.text);
  });

  it.each(['async', 'slowjob'])('with %s in it is completed three seconds after its submit', async (localPart) => {
    const submitted = await submitJob(api, caller.test, ['nothing', `${localPart}@company.example`, ...addresses(500)]);
    const id = idOf(submitted);
    // No worker looks at what is completed.
    expect(await jobRow(id)).toEqual({
      sandbox: 1,
      status: 'completed',
      stage: 'done',
      total: 502,
      done: 1,
      mode: 'standard',
      takes_ms: 3000,
    });
    await complete(id, 'future');
    const underWay = await askJobs(api, caller.test, { path: `/${id}` });
    expect(underWay.body).toEqual(submitted.body);
    expect(underWay.headers).toMatchObject({ 'retry-after': '2' });
    const { body: list } = await askJobs(api, caller.test, { path: '?limit=1' });
    expect(list['jobs']).toMatchObject([{ id, status: 'processing', progress: { total: 502, done: 1 } }]);
    expect(errorOf(await askJobs(api, caller.test, { method: 'DELETE', path: `/${id}` }))).toEqual([
      409,
      'job_processing',
    ]);
    await complete(id, 'past');
    const completed = await askJobs(api, caller.test, { path: `/${id}` });
    expect(completed.body).toMatchObject({ status: 'completed', progress: { total: 502, done: 502 } });
    expect(completed.body['results']).toHaveLength(502);
    expect((await askJobs(api, caller.test, { method: 'DELETE', path: `/${id}` })).status).toBe(204);
    expect(errorOf(await askJobs(api, caller.test, { path: `/${id}` }))).toEqual([404, 'not_found']);
  });

  it('is refused whole, and not stored, if an entry demands it', async () => {
    const before = await rowCounts();
    const refused = await submitJob(api, caller.test, ['valid@company.example', 'ratelimit@company.example']);
    expect(errorOf(refused)).toEqual([429, 'rate_limit_exceeded']);
    expect(refused.headers['retry-after']).toBe('1');
    expect(await rowCounts()).toEqual(before);
  });

  it('is read in parts, and as CSV', async () => {
    const id = idOf(await submitJob(api, caller.test, emails, { mode: 'enhanced' }));
    await complete(id, 'past');
    const whole = await askJobs(api, caller.test, { path: `/${id}` });
    const part = await askJobs(api, caller.test, { path: `/${id}?offset=3&limit=4` });
    expect(part.body['results']).toEqual((whole.body['results'] as unknown[]).slice(3, 7));
    const csv = await askJobs(api, caller.test, { path: `/${id}`, headers: { accept: 'text/csv' } });
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + emails.length);
    expect(lines[1]).toMatch(/^valid@company\.example,valid,true,mailbox_accepts,true,mx\.company\.example,/);
  });

  it('is visible only to sandbox keys of its account, and live jobs are not', async () => {
    const [owner, stranger] = [await bench.newCaller('free-100'), await bench.newCaller('free-100')];
    const sandboxed = idOf(await submitJob(api, owner.test, ['valid@company.example']));
    const live = idOf(await submitJob(api, owner.live, ['valid@company.example']));
    const seen = async (key: string, id: string) => (await askJobs(api, key, { path: `/${id}` })).status;
    expect(await Promise.all([seen(owner.test, sandboxed), seen(owner.live, sandboxed)])).toEqual([200, 404]);
    expect(await Promise.all([seen(owner.live, live), seen(owner.test, live)])).toEqual([200, 404]);
    expect(await seen(stranger.test, sandboxed)).toBe(404);
    const { body: list } = await askJobs(api, owner.test);
    expect(list).toMatchObject({ jobs: [{ id: sandboxed }], next_cursor: null });
    expect((await askJobs(api, owner.live, { method: 'DELETE', path: `/${sandboxed}` })).status).toBe(404);
  });

  it('of ten thousand is answered in order', async () => {
    const many = addresses(10_000);
    const id = idOf(await submitJob(api, caller.test, many));
    const { body } = await askJobs(api, caller.test, { path: `/${id}` });
    expect((body['results'] as { email: string }[]).map(({ email }) => email)).toEqual(many);
  });
});
