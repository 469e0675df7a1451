import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { ask, BillingBench, type Caller } from './billing-api.js';
import { balanceOf, entriesOf, mismatches } from './billing-support.js';
import { addresses, askJobs, countRows, submitJob, type JobAnswer } from './jobs-api.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let other: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start();
  [api, other] = [await bench.startApi(), await bench.startApi()];
});
afterAll(() => bench.close());
beforeEach(async () => {
  for (const table of ['jobs', 'job_entries', 'job_results'])
    await bench.database.dataSource.query(`DELETE FROM ${table}`);
});

interface Row {
  position: number;
  sent: string | null;
  error: string | null;
  unit_price: number;
  facts: unknown;
  result: string | null;
}

const rowsOf = ({ body }: JobAnswer): Promise<Row[]> =>
  bench.database.dataSource.query<Row[]>(
    'SELECT position, sent, error, unit_price, facts, result FROM job_entries WHERE job_id = ? ORDER BY position',
    [idToBytes(String(body['id']))],
  );
const errorOf = ({ status, body }: JobAnswer): [number, unknown] => [
  status,
  (body['error'] as { code?: string } | undefined)?.code,
];
const charges = async ({ accountId }: Caller) =>
  (await entriesOf(bench.database.dataSource, accountId)).filter(({ kind }) => kind === 'charge');

describe('a job', () => {
  it('is stored and paid when its 202 comes', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    const answer = await submitJob(api, caller.live, ['ada@company.example', ' Bob@Company.example ']);
    const { body, headers } = answer;
    expect(answer.status).toBe(202);
    expect(Object.keys(body)).toEqual(['id', 'status', 'total', 'created_at', 'expires_at', 'progress']);
    expect(body).toMatchObject({ status: 'processing', total: 2, progress: { total: 2, done: 0 } });
    expect(Date.parse(String(body['expires_at'])) - Date.parse(String(body['created_at']))).toBe(7 * 24 * 3600_000);
    expect(headers).toMatchObject({
      location: `/v1/verify/jobs/${String(body['id'])}`,
      'retry-after': expect.stringMatching(/^\d+$/),
      'content-type': 'application/json; charset=utf-8',
      'x-credits-used': '2',
      'x-credits-remaining': '3',
      'x-verify-free-remaining': '0',
      'x-ratelimit-limit': '60000',
    });
    expect(await rowsOf(answer)).toEqual([
      { position: 0, sent: 'ada@company.example', error: null, unit_price: 1, facts: null, result: null },
      { position: 1, sent: ' Bob@Company.example ', error: null, unit_price: 1, facts: null, result: null },
    ]);
    expect(await charges(caller)).toMatchObject([{ reference: `job:${String(body['id'])}` }]);
    const [row] = await bench.database.dataSource.query<Record<string, unknown>[]>(
      'SELECT stage, mode, sandbox, done, completed_at FROM jobs',
    );
    expect(row).toEqual({ stage: 'new', mode: 'standard', sandbox: 0, done: 0, completed_at: null });
  });

  it('can be read while it is processed', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    const submitted = await submitJob(api, caller.live, addresses(3));
    const read = await askJobs(other, caller.live, { path: `/${String(submitted.body['id'])}` });
    expect(read.status).toBe(200);
    expect(read.body).toEqual(submitted.body);
    expect(Object.keys(read.body)).toEqual(Object.keys(submitted.body));
    expect(read.headers).toMatchObject({ 'retry-after': '2', 'x-credits-used': '0', 'x-credits-remaining': '2' });
  });

  it('costs nothing for invalid entries, which have their result at once', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    const long = `${'x"\\😀'.repeat(700)}@company.example`;
    const answer = await submitJob(api, caller.live, [
      'no address',
      'ada@company.example',
      7,
      null,
      '',
      long,
      '\ud800',
    ]);
    expect(answer.body).toMatchObject({ total: 7, progress: { total: 7, done: 6 } });
    const rows = await rowsOf(answer);
    expect(rows.map(({ sent, error, unit_price }) => [sent, error, unit_price])).toEqual([
      [null, 'invalid_email', 0],
      ['ada@company.example', null, 1],
      ...Array.from({ length: 5 }, () => [null, 'invalid_email', 0]),
    ]);
    expect(rows.map(({ result }) => result && (JSON.parse(result) as unknown))).toEqual([
      { email: 'no address', error: 'invalid_email' },
      null,
      { email: null, error: 'invalid_email' },
      { email: null, error: 'invalid_email' },
      { email: '', error: 'invalid_email' },
      { email: long, error: 'invalid_email' },
      { email: '\ud800', error: 'invalid_email' },
    ]);
    expect(answer.headers['x-credits-used']).toBe('1');
  });

  it('of only invalid entries is accepted without a charge', async () => {
    const caller = await bench.newCaller('free-0');
    const answer = await submitJob(api, caller.live, ['no address']);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'processing', progress: { total: 1, done: 1 } });
    expect(await charges(caller)).toEqual([]);
  });

  it('bills every entry, repeats included, from the allowance if it suffices', async () => {
    const caller = await bench.newCaller('free-100');
    const answer = await submitJob(
      api,
      caller.live,
      Array.from({ length: 10 }, () => 'ada@company.example'),
    );
    expect(answer.headers).toMatchObject({ 'x-credits-used': '0', 'x-verify-free-remaining': '90' });
    expect(await rowsOf(answer)).toHaveLength(10);
  });

  it('in enhanced mode costs 3 per address, and 1 at a known catch-all', async () => {
    await bench.database.dataSource.query(
      `INSERT INTO catch_all_domains VALUES ('known.example', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
    );
    const caller = await bench.newCaller('free-0', { purchased: 100 });
    const answer = await submitJob(
      api,
      caller.live,
      ['a@company.example', 'a@KNOWN.example', 'a@unknown.example', '?'],
      {
        mode: 'enhanced',
      },
    );
    expect((await rowsOf(answer)).map(({ unit_price }) => unit_price)).toEqual([3, 1, 3, 0]);
    expect(answer.headers['x-credits-used']).toBe('7');
  });

  it('of ten thousand is stored in order', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 10_000 });
    const emails = addresses(10_000);
    const answer = await submitJob(api, caller.live, emails);
    expect(answer.status).toBe(202);
    expect(answer.headers['x-credits-remaining']).toBe('0');
    expect((await rowsOf(answer)).map(({ position, sent }) => [position, sent])).toEqual(
      emails.map((email, i) => [i, email]),
    );
    expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
  });

  it('may contain one entry as large as a body, whatever needs quoting', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    const huge = '\\'.repeat(4_150_000);
    const answer = await submitJob(api, caller.live, ['ada@company.example', huge, 'no address']);
    expect(answer.status).toBe(202);
    const rows = await rowsOf(answer);
    expect(rows.map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(rows[1]?.result === JSON.stringify({ email: huge, error: 'invalid_email' })).toBe(true);
  });
});

describe('a submit is refused', () => {
  it.each<[string, unknown, string]>([
    ['without emails', {}, 'emails is required'],
    ['with emails that are no list', { emails: 'a@company.example' }, 'emails must be a list'],
    ['with an empty list', { emails: [] }, 'emails must have at least 1 entry'],
    ['with 10,001 entries', { emails: addresses(10_001) }, 'emails must have at most 10000 entries'],
    ['in quick mode', { emails: ['a@company.example'], mode: 'quick' }, 'mode must be one of standard, enhanced'],
  ])('%s', async (_, body, message) => {
    const caller = await bench.newCaller('free-100');
    const answer = await askJobs(api, caller.live, { method: 'POST', payload: JSON.stringify(body) });
    expect(errorOf(answer)).toEqual([422, 'validation_failed']);
    expect((answer.body['error'] as { message: string }).message).toBe(message);
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 0, entries: 0 });
  });

  it('above 8 MiB, and not below', async () => {
    const caller = await bench.newCaller('free-0');
    const bodyOf = (octets: number): string => `{"emails":["${'x'.repeat(octets - '{"emails":[""]}'.length)}"]}`;
    const limit = 8 * 1024 * 1024;
    const over = await askJobs(api, caller.live, { method: 'POST', payload: bodyOf(limit + 1) });
    expect(errorOf(over)).toEqual([413, 'payload_too_large']);
    const below = await askJobs(api, caller.live, { method: 'POST', payload: bodyOf(limit) });
    expect(below.status).toBe(202);
  });

  it('if the balance does not cover all of it, and stores nothing', async () => {
    const caller = await bench.newCaller('free-1', { purchased: 2 });
    const answer = await submitJob(api, caller.live, addresses(5));
    expect(errorOf(answer)).toEqual([402, 'insufficient_credits']);
    expect(answer.headers).toMatchObject({ 'x-credits-required': '3', 'x-credits-remaining': '2' });
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 0, entries: 0 });
    expect(await charges(caller)).toEqual([]);
  });
});

describe('with an Idempotency-Key', () => {
  const keyed = { headers: { 'idempotency-key': 'k' } };

  it('a repeat gets the first answer from any process, without a second job', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    const first = await submitJob(api, caller.live, addresses(2), keyed);
    for (const app of [api, other]) {
      const repeat = await submitJob(app, caller.live, addresses(2), keyed);
      expect([repeat.status, repeat.text]).toEqual([202, first.text]);
      expect(repeat.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'x-credits-used': '0',
        'x-credits-remaining': '3',
        location: first.headers['location'],
        'retry-after': first.headers['retry-after'],
        'content-type': first.headers['content-type'],
      });
    }
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 1, entries: 2 });
    expect(errorOf(await submitJob(api, caller.live, addresses(3), keyed))).toEqual([409, 'idempotency_conflict']);
  });

  it('ignored fields do not make it another call, in small or large bodies', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 10 });
    const headers = { 'idempotency-key': 'attempt' };
    const ids = new Set<unknown>();
    for (const ignored of ['', '"attempt":1,', `"attempt":"${'x'.repeat(50_000)}",`]) {
      const payload = `{${ignored}"emails":["ada@company.example"]}`;
      const { status, body } = await askJobs(api, caller.live, { method: 'POST', payload, headers });
      expect(status).toBe(202);
      ids.add(body['id']);
    }
    expect(ids.size).toBe(1);
  });

  it('concurrent submits are one job', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 100_000 });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => submitJob(i % 2 === 0 ? api : other, caller.live, addresses(2000), keyed)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 202 && status !== 409)).toEqual([]);
    expect(new Set(answers.filter(({ status }) => status === 202).map(({ text }) => text)).size).toBe(1);
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 1, entries: 2000 });
    expect(await charges(caller)).toHaveLength(1);
  });

  it('the answer of a free job is stored, too', async () => {
    const caller = await bench.newCaller('free-0');
    const first = await submitJob(api, caller.live, ['no address'], keyed);
    expect((await submitJob(other, caller.live, ['no address'], keyed)).text).toBe(first.text);
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 1, entries: 1 });
  });

  it('a refusal is not stored', async () => {
    const caller = await bench.newCaller('free-0');
    expect((await submitJob(api, caller.live, addresses(2), keyed)).status).toBe(402);
    await bench.grant(caller.accountId, 2);
    expect((await submitJob(other, caller.live, addresses(2), keyed)).status).toBe(202);
  });
});

describe('concurrent submits', () => {
  it('of an account that can pay one of them make one job, in one process and in several', async () => {
    for (const apps of [[api], [api, other]]) {
      const caller = await bench.newCaller('free-0', { purchased: 2500 });
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, i) => submitJob(apps[i % apps.length]!, caller.live, addresses(2000))),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 402, 402, 402, 402, 402]);
      for (const answer of answers.filter(({ status }) => status === 402)) {
        expect(answer.headers['x-credits-required']).toBe('1500');
      }
      expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 500 });
      expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
      expect(await charges(caller)).toHaveLength(1);
    }
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 2, entries: 4000 });
  });

  it('and single calls of the account never overspend', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 1010 });
    const statuses = await Promise.all([
      ...Array.from({ length: 3 }, async () => (await submitJob(api, caller.live, addresses(500))).status),
      ...Array.from({ length: 20 }, async (_, i) => (await ask(i % 2 === 0 ? api : other, caller.live)).status),
    ]);
    const paid =
      statuses.filter((status) => status === 200).length + 500 * statuses.filter((one) => one === 202).length;
    expect(statuses.filter((status) => ![200, 202, 402].includes(status))).toEqual([]);
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 1010 - paid });
    expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
  });
});
