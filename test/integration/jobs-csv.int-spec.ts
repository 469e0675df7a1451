import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { BillingBench } from './billing-api.js';
import { addresses, askJobs, countRows, submitJob, type JobAnswer } from './jobs-api.js';

let bench: BillingBench;
let api: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
});
afterAll(() => bench.close());
beforeEach(async () => {
  for (const table of ['jobs', 'job_entries', 'job_results'])
    await bench.database.dataSource.query(`DELETE FROM ${table}`);
});

const submitCsv = (
  key: string,
  payload: string | Buffer,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<JobAnswer> =>
  askJobs(api, key, {
    method: 'POST',
    path: query,
    payload: payload as string,
    headers: { 'content-type': 'text/csv; charset=utf-8', ...headers },
  });
const sentOf = async ({ body }: JobAnswer): Promise<unknown[]> => {
  const rows = await bench.database.dataSource.query<{ sent: string | null; result: string | null }[]>(
    'SELECT sent, result FROM job_entries WHERE job_id = ? ORDER BY position',
    [idToBytes(String(body['id']))],
  );
  return rows.map(({ sent, result }) => sent ?? (JSON.parse(result!) as unknown));
};
const MIB = 1024 * 1024;

describe('a job submitted as CSV', () => {
  it('has an entry for each row, and is paid like any other', async () => {
    const { live } = await bench.newCaller('free-0', { purchased: 9 });
    const csv = 'name,email\r\n"Lee, Ada",ada@company.example\r\nBob,\r\nEve,Eve@company.example\r\n';
    const answer = await submitCsv(live, csv, '?mode=enhanced&name=Spring');
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ status: 'processing', total: 3, progress: { total: 3, done: 1 } });
    expect(answer.headers).toMatchObject({ 'x-credits-used': '6', 'x-credits-remaining': '3' });
    expect(await sentOf(answer)).toEqual([
      'ada@company.example',
      { email: '', error: 'invalid_email' },
      'Eve@company.example',
    ]);
    const { body } = await askJobs(api, live);
    expect(body['jobs']).toMatchObject([{ id: answer.body['id'], name: 'Spring', counts: null }]);
  });

  it('is charged once under an Idempotency-Key, whichever way the same list is sent', async () => {
    const { live } = await bench.newCaller('free-0', { purchased: 9 });
    const key = { 'idempotency-key': 'list-1' };
    const first = await submitCsv(live, 'ada@company.example\n', '', key);
    const again = await submitCsv(live, 'email\r\nada@company.example\r\n', '?column=email', key);
    const asJson = await submitJob(api, live, ['ada@company.example'], { headers: key });
    expect([first.status, again.body, asJson.body]).toEqual([202, first.body, first.body]);
    expect([again.headers['idempotency-replayed'], asJson.headers['idempotency-replayed']]).toEqual(['true', 'true']);
    const other = await submitCsv(live, 'bob@company.example\n', '', key);
    expect([other.status, other.body]).toMatchObject([409, { error: { code: 'idempotency_conflict' } }]);
    expect((await countRows(bench.database.dataSource)).jobs).toBe(1);
  });

  it('may have 10,000 rows of several columns', async () => {
    const { live } = await bench.newCaller('free-0', { purchased: 20_000 });
    const rows = addresses(10_000).map((email, i) => `${i},"${'x'.repeat(700)}",${email}\n`);
    const answer = await submitCsv(live, `id,note,email\n${rows.join('')}`);
    expect([answer.status, answer.body['total']]).toEqual([202, 10_000]);
  });

  it.each<[string, () => string | Buffer, string, number, string]>([
    ['10,001 rows', () => addresses(10_001).join('\n'), '', 422, 'the CSV must have at most 10000 addresses'],
    ['more than 8 MiB', () => `${'x'.repeat(8 * MIB)}\n`, '', 413, 'The body is larger than 8 MiB.'],
    ['8 MiB of delimiters', () => ','.repeat(8 * MIB), '', 422, 'a row of the CSV must have at most 500 cells'],
    ['8 MiB of short rows', () => 'a\n'.repeat(4 * MIB), '?column=1', 422, 'the CSV must have at most 10000 addresses'],
    [
      '8 MiB of at signs',
      () => `${'@,'.repeat(200)}\n`.repeat(20_000),
      '',
      422,
      'none of the first 20 rows holds an address',
    ],
    ['8 MiB of quotation marks', () => '"'.repeat(8 * MIB - 1), '', 400, 'a quotation mark is never closed'],
    ['a workbook', () => Buffer.from('504b0304140006000800ffd8ffe0', 'hex'), '', 400, 'The body is not UTF-8.'],
    ['null characters', () => '\0'.repeat(MIB), '', 400, 'it has null characters'],
    ['nothing', () => '', '', 400, 'The CSV is empty: it needs at least 1 address.'],
    ['a blank line', () => '\n', '', 422, 'the CSV must have at least 1 address'],
    ['a header alone', () => 'email\n', '', 422, 'the CSV must have at least 1 address below its header'],
    ['no such mode', () => 'ada@company.example', '?mode=quick', 422, 'mode must be one of standard, enhanced'],
    ['a name of control characters', () => 'ada@company.example', '?name=%07', 422, 'name is not valid'],
  ])('is refused with %s, and stores nothing', async (_, body, query, status, message) => {
    const { live } = await bench.newCaller('free-0', { purchased: 20_000 });
    const answer = await submitCsv(live, body(), query);
    expect([answer.status, answer.body]).toEqual([
      status,
      { error: { code: expect.any(String), message: expect.stringContaining(message) } },
    ]);
    expect(await countRows(bench.database.dataSource)).toMatchObject({ jobs: 0, entries: 0 });
  });

  it('is refused compressed, and where only JSON is taken', async () => {
    const { live } = await bench.newCaller('free-0', { purchased: 20_000 });
    const zipped = await submitCsv(live, 'ada@company.example', '', { 'content-encoding': 'gzip' });
    expect(zipped.status).toBe(415);
    const headers = { host: 'api.test', 'x-api-key': live, 'content-type': 'text/csv' };
    const batch = await api.inject({
      method: 'POST',
      url: '/v1/verify/batch',
      headers,
      payload: 'ada@company.example',
    });
    expect([batch.statusCode, batch.json()]).toMatchObject([
      415,
      { error: { code: 'unsupported_media_type', message: 'The body must be sent as application/json.' } },
    ]);
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', ''])(
    'is named beside JSON where the type is %j',
    async (type) => {
      const { live } = await bench.newCaller('free-0');
      const answer = await submitCsv(live, 'ada@company.example', '', { 'content-type': type });
      expect([answer.status, answer.body]).toEqual([
        415,
        {
          error: {
            code: 'unsupported_media_type',
            message: 'The body must be sent as application/json or text/csv.',
          },
        },
      ]);
    },
  );
});

describe('the list of jobs', () => {
  it('shows the name of a job, trimmed, and the verdicts of a completed one', async () => {
    const { test } = await bench.newCaller('free-0');
    const emails = ['valid', 'invalid', 'role', 'unknown', 'servererror'].map((name) => `${name}@example.com`);
    await submitJob(api, test, [...emails, 'no address'], { name: ' Spring ' });
    await submitJob(api, test, ['slowjob@example.com'], { name: null });
    const { body } = await askJobs(api, test);
    expect(body['jobs']).toMatchObject([
      { status: 'processing', name: null, counts: null },
      {
        status: 'completed',
        name: 'Spring',
        counts: { valid: 1, invalid: 1, catch_all: 0, disposable: 0, role: 1, unknown: 1, error: 2 },
      },
    ]);
  });

  it.each([[''], [' '], ['x'.repeat(101)], [7], ['a\nb']])('refuses the name %j', async (name) => {
    const { live } = await bench.newCaller('free-0', { purchased: 20_000 });
    const answer = await submitJob(api, live, ['ada@company.example'], { name });
    expect([answer.status, answer.body]).toMatchObject([422, { error: { code: 'validation_failed' } }]);
  });
});
