import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { ResultStreams } from '../../src/jobs/result-streams.js';
import { JobRepository } from '../../src/jobs/job.repository.js';
import { liveBytes } from '../engine/left-over.js';
import { BillingBench, type Caller } from './billing-api.js';
import { addresses, askJobs, completeJob, resultOf, submitJob, type JobAnswer } from './jobs-api.js';

jest.setTimeout(400_000);

let bench: BillingBench;
let api: NestFastifyApplication;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
  caller = await bench.newCaller('free-0', { purchased: 1_000_000 });
});
afterAll(() => bench.close());
afterEach(() => jest.restoreAllMocks());

/** @returns its id */
async function completedJob(
  emails: readonly unknown[],
  resultFor?: (email: string, position: number) => unknown,
  by: Caller = caller,
): Promise<string> {
  const id = String((await submitJob(api, by.live, emails)).body['id']);
  await completeJob(bench.database.dataSource, id, resultFor);
  return id;
}

let large: Promise<string> | undefined;
/** One of ten thousand, with results of 2 kB: more than a connection holds. The tests that only read it share it. */
const largeJob = (): Promise<string> =>
  (large ??= completedJob(addresses(10_000), (email) => resultOf(email, { mx_record: 'x'.repeat(2000) })));

const mb = (octets: number): number => Math.round(octets / 1_000_000);
const query = (sql: string, values: readonly unknown[] = []): Promise<unknown> =>
  bench.database.dataSource.query(sql, [...values]);
const read = (id: string, more: { path?: string; headers?: Record<string, string>; key?: string } = {}) =>
  askJobs(api, more.key ?? caller.live, { path: `/${id}${more.path ?? ''}`, headers: more.headers ?? {} });
const resultsOf = ({ body }: JobAnswer): Record<string, unknown>[] => body['results'] as Record<string, unknown>[];
const port = (): number => (api.getHttpServer().address() as { port: number }).port;

/** Over a connection, as a client sees it. */
async function overHttp(id: string, key = caller.live): Promise<IncomingMessage> {
  const request = get({
    host: '127.0.0.1',
    port: port(),
    path: `/v1/verify/jobs/${id}`,
    headers: { 'x-api-key': key },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Until a figure does not change any more, however long others are served. */
async function untilStill(figure: () => number): Promise<void> {
  let still = 0;
  for (let before = figure(); still < 50; before = figure()) {
    await askJobs(api, caller.live, { path: '?limit=1' });
    still = figure() === before ? still + 1 : 0;
  }
}

describe('a completed job', () => {
  it('has its results in the order of the submit, errors among them', async () => {
    const emails = ['ada@company.example', 'no address', 'bob@company.example', 'ada@company.example'];
    const id = await completedJob(emails, (email, position) =>
      position === 2 ? { email, error: 'verify_unavailable' } : resultOf(email),
    );
    const { status, body, headers } = await read(id);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['id', 'status', 'total', 'created_at', 'expires_at', 'progress', 'results']);
    expect(body).toMatchObject({ id, status: 'completed', total: 4, progress: { total: 4, done: 4 } });
    expect(body['results']).toEqual([
      resultOf('ada@company.example'),
      { email: 'no address', error: 'invalid_email' },
      { email: 'bob@company.example', error: 'verify_unavailable' },
      resultOf('ada@company.example'),
    ]);
    expect(headers).not.toHaveProperty('retry-after');
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-credits-used': '0',
      'x-ratelimit-limit': '60000',
    });
  });

  it('of ten thousand is streamed in order, in less memory than its size', async () => {
    const emails = addresses(10_000);
    const id = await completedJob(emails, (email) => resultOf(email, { mx_record: 'x'.repeat(7000) }));
    let octets = 0;
    let growth = 0;
    const inUse = (): number => {
      const { heap, buffers } = liveBytes();
      return heap + buffers;
    };
    const before = inUse();
    let looked = 0;
    for await (const chunk of await overHttp(id)) {
      octets += (chunk as Buffer).length;
      if (octets - looked < 8_000_000) continue;
      looked = octets;
      growth = Math.max(growth, inUse() - before);
    }
    process.stdout.write(`an answer of ${mb(octets)} MB took ${mb(growth)} MB\n`);
    expect(octets).toBeGreaterThan(75_000_000);
    // A reader that held the rows or their text would have all of it in use near the end.
    expect(growth).toBeLessThan(octets / 2);
    const pages = await Promise.all(
      [0, 2500, 5000, 7500].map(async (offset) => resultsOf(await read(id, { path: `?offset=${offset}&limit=2500` }))),
    );
    expect(pages.flat().map(({ email }) => email)).toEqual(emails);
  });

  it("is read at the client's speed, and no further after it disconnects", async () => {
    const id = await largeJob();
    const other = await completedJob(addresses(1));
    const pages = jest.spyOn(JobRepository.prototype, 'results');
    const ofJob = (): number => pages.mock.calls.filter(([jobId]) => jobId === id).length;
    const response = await overHttp(id);
    response.pause();
    // The connection itself takes some megabytes; of 28 most stay where they are, however long others are served.
    await untilStill(ofJob);
    const taken = ofJob();
    expect(taken).toBeLessThan(60);
    response.destroy();
    for (let i = 0; i < 50; i++) await read(other);
    expect(ofJob()).toBeLessThanOrEqual(taken + 1);
  });

  it('is cut off if the client reads nothing for a minute', async () => {
    const id = await largeJob();
    const streams = api.get(ResultStreams, { strict: false });
    const connected = once(api.getHttpServer(), 'connection') as Promise<[Socket]>;
    const response = await overHttp(id);
    response.pause();
    const [socket] = await connected;
    const closed = once(socket, 'close');
    await untilStill(() => socket.bytesWritten);
    const now = performance.now();
    streams.cutStalled(now);
    expect([streams.count, socket.destroyed]).toEqual([1, false]);
    // What the kernel has taken meanwhile began another minute.
    for (let minutes = 1; streams.count > 0; minutes++) streams.cutStalled(now + minutes * 60_000);
    await closed;
    response.resume();
    const [error] = (await once(response, 'error')) as [{ code: string }];
    expect(error.code).toBe('ECONNRESET');
  });

  it("leaves the connection's timeout unchanged for the next call", async () => {
    const id = await completedJob(addresses(1));
    const connected = once(api.getHttpServer(), 'connection') as Promise<[Socket]>;
    for await (const chunk of await overHttp(id)) expect(chunk).toBeDefined();
    const [socket] = await connected;
    expect(socket.timeout).toBe(api.getHttpServer().timeout);
  });

  it('is not read for HEAD', async () => {
    const id = await completedJob(addresses(3000));
    const pages = jest.spyOn(JobRepository.prototype, 'results');
    const { status, text, headers } = await askJobs(api, caller.live, { method: 'HEAD', path: `/${id}` });
    expect([status, text]).toEqual([200, '']);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(pages.mock.calls.length).toBeLessThanOrEqual(1);
  });

  it('is read where an earlier release has written each result to the row of its entry', async () => {
    const emails = ['one@company.example', 'no address', 'two@company.example'];
    const id = await completedJob(emails);
    await query('DELETE FROM job_results WHERE job_id = ?', [idToBytes(id)]);
    for (const email of emails) {
      await query('UPDATE job_entries SET result = ? WHERE job_id = ? AND sent = ?', [
        JSON.stringify(resultOf(email)),
        idToBytes(id),
        email,
      ]);
    }
    const results = resultsOf(await read(id, { path: '?offset=1' }));
    expect(results).toEqual([{ email: 'no address', error: 'invalid_email' }, resultOf(emails[2]!)]);
  });

  it('whose rows disappear meanwhile is cut off, not ended', async () => {
    const id = await completedJob(addresses(3000), (email) => resultOf(email, { mx_record: 'x'.repeat(2000) }));
    await query('DELETE FROM job_results WHERE job_id = ? AND position = 2700', [idToBytes(id)]);
    const response = await overHttp(id);
    expect(response.statusCode).toBe(200);
    let text = '';
    const failure = await (async () => {
      for await (const chunk of response) text += String(chunk);
    })().catch((error: unknown) => (error as { code?: string }).code);
    expect(failure).toBe('ECONNRESET');
    expect(response.complete).toBe(false);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(bench.logged.some((line) => line.includes('a job response was cut off'))).toBe(true);
  });

  it('whose first rows cannot be read is an ordinary error', async () => {
    const id = await completedJob(addresses(3));
    jest
      .spyOn(JobRepository.prototype, 'results')
      .mockRejectedValueOnce(Object.assign(new Error('x'), { fatal: true }));
    const { status, body } = await read(id);
    expect([status, body]).toEqual([503, { error: { code: 'service_unavailable', message: expect.any(String) } }]);
  });
});

describe('answers that clients do not read', () => {
  const PER_ACCOUNT = 10;

  /** Begins to read, takes the head of the answer and nothing more. */
  async function stalled(id: string, key: string): Promise<IncomingMessage> {
    const response = await overHttp(id, key);
    response.on('error', () => undefined).pause();
    return response;
  }

  it('are limited per account, without affecting others', async () => {
    const id = await largeJob();
    const neighbour = await bench.newCaller('free-0', { purchased: 1 });
    const theirs = await completedJob(addresses(1), undefined, neighbour);
    const streams = api.get(ResultStreams, { strict: false });
    const open = await Promise.all(Array.from({ length: PER_ACCOUNT }, () => stalled(id, caller.live)));
    for (const headers of [{}, { accept: 'text/csv' }] as Record<string, string>[]) {
      const { status, headers: answered, body } = await read(id, { headers });
      expect([status, body]).toMatchObject([429, { error: { code: 'quota_exceeded' } }]);
      expect(answered).toMatchObject({ 'retry-after': '5', 'x-ratelimit-limit': '60000' });
    }
    expect(streams.refused.account).toBe(2);
    // What is no stream is served.
    expect((await askJobs(api, caller.live)).status).toBe(200);
    expect((await read(theirs, { key: neighbour.live })).status).toBe(200);
    for (const response of open) response.destroy();
    while (streams.count > 0) await askJobs(api, caller.live, { path: '?limit=1' });
    expect((await read(id, { path: '?limit=1' })).status).toBe(200);
  });
});

describe('a page', () => {
  let id: string;
  beforeAll(async () => {
    id = await completedJob(addresses(1234));
  });

  it.each<[string, number, number]>([
    ['?offset=0&limit=1', 0, 1],
    ['?offset=10&limit=5', 10, 15],
    ['?offset=499&limit=502', 499, 1001],
    ['?limit=3', 0, 3],
    ['?offset=1230', 1230, 1234],
    ['?offset=1230&limit=100', 1230, 1234],
    ['?offset=1234', 1234, 1234],
    ['?offset=10000&limit=10000', 1234, 1234],
    ['?unknown=1&limit=2', 0, 2],
  ])('%s', async (path, from, to) => {
    const answer = await read(id, { path });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, status: 'completed', total: 1234 });
    expect(resultsOf(answer).map(({ email }) => email)).toEqual(addresses(1234).slice(from, to));
  });

  it.each<[string, string]>([
    ['?offset=-1', 'offset must be at least 0'],
    ['?offset=10001', 'offset must be at most 10000'],
    ['?limit=0', 'limit must be at least 1'],
    ['?limit=10001', 'limit must be at most 10000'],
    ['?limit=1.5', 'limit must be a whole number'],
    ['?limit=', 'limit must be a number'],
    ['?limit=ten', 'limit must be a number'],
    ['?limit=1&limit=2', 'limit must be a number'],
  ])('%s is refused', async (path, message) => {
    const { status, body } = await read(id, { path });
    expect([status, body]).toEqual([422, { error: { code: 'validation_failed', message } }]);
  });

  it('is refused before the job is looked up', async () => {
    expect((await read(newId(), { path: '?limit=0' })).status).toBe(422);
  });
});

describe('as CSV', () => {
  const csv = { accept: 'text/csv' };

  it('a job has one line per entry, with formulas neutralised', async () => {
    const emails = ['ada@company.example', '=cmd|x', '"a,b"@company.example', '+tag@company.example'];
    const id = await completedJob(emails);
    const { status, text, headers } = await read(id, { headers: csv });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).toBe(`attachment; filename="job-${id}.csv"`);
    const lines = text.split('\r\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^email,result,deliverable,.*,decision_recommendation,decision_reasons,degraded,error$/);
    expect(lines.slice(1, 5).map((line) => line.slice(0, 30))).toEqual([
      'ada@company.example,valid,true',
      expect.stringMatching(/^'=cmd\|x,,,/),
      '"""a,b""@company.example",vali',
      "'+tag@company.example,valid,tr",
    ]);
    expect(lines[2]).toMatch(/,invalid_email$/);
    expect(lines[5]).toBe('');
  });

  it('a page is a page', async () => {
    const id = await completedJob(addresses(700));
    const { text } = await read(id, { headers: csv, path: '?offset=600&limit=50' });
    expect(
      text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    ).toEqual(addresses(700).slice(600, 650));
  });

  it('an unfinished job is the job object', async () => {
    const { body } = await submitJob(api, caller.live, addresses(1));
    const answer = await read(String(body['id']), { headers: csv });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers).toHaveProperty('retry-after');
    expect(answer.body).toEqual(body);
  });
});

describe('a missing job', () => {
  const nothing = { error: { code: 'not_found', message: 'There is no such job.' } };

  it.each<[string, () => Promise<{ id: string; key?: string }>]>([
    ['never was', async () => ({ id: newId() })],
    ['has no id', async () => ({ id: 'not-an-id' })],
    [
      "is another account's",
      async () => ({ id: await completedJob(addresses(1)), key: (await bench.newCaller('free-0')).live }),
    ],
    ['is live, read with a sandbox key', async () => ({ id: await completedJob(addresses(1)), key: caller.test })],
    [
      'is of the sandbox, read with a live key',
      async () => {
        const id = await completedJob(addresses(1));
        await query('UPDATE jobs SET sandbox = 1 WHERE id = ?', [idToBytes(id)]);
        return { id };
      },
    ],
    [
      'is expired',
      async () => {
        const id = await completedJob(addresses(1));
        await query('UPDATE jobs SET expires_at = UTC_TIMESTAMP(3) WHERE id = ?', [idToBytes(id)]);
        return { id };
      },
    ],
  ])('that %s is a 404 for GET and DELETE', async (_, make) => {
    const { id, key = caller.live } = await make();
    for (const method of ['GET', 'DELETE'] as const) {
      const { status, body, headers } = await askJobs(api, key, { method, path: `/${id}` });
      expect([status, body]).toEqual([404, nothing]);
      expect(headers).toMatchObject({ 'x-credits-used': '0', 'x-ratelimit-limit': '60000' });
    }
  });
});

describe('the list', () => {
  it("has the account's jobs, newest first, in pages, without results", async () => {
    const own = await bench.newCaller('free-100');
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(String((await submitJob(api, own.live, addresses(1))).body['id']));
    await completeJob(bench.database.dataSource, ids[4]!);
    const seen: string[] = [];
    let path = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const { status, body } = await askJobs(api, own.live, { path });
      expect(status).toBe(200);
      const jobs = body['jobs'] as Record<string, unknown>[];
      seen.push(...jobs.map(({ id }) => String(id)));
      expect(jobs[0]).not.toHaveProperty('results');
      if (page === 2) {
        expect(body['next_cursor']).toBeNull();
        expect(jobs).toEqual([expect.objectContaining({ id: ids[4], status: 'completed', total: 1 })]);
      }
      path = `?limit=2&cursor=${String(body['next_cursor'])}`;
    }
    expect(seen).toEqual(ids);
    const all = (await askJobs(api, own.live)).body;
    expect((all['jobs'] as unknown[]).length).toBe(5);
    expect(all['next_cursor']).toBeNull();
  });

  it('shows no jobs of others and no expired ones', async () => {
    const own = await bench.newCaller('free-100');
    const [expired] = [
      await completedJob(addresses(1), undefined, own),
      await completedJob(addresses(1), undefined, own),
    ];
    await query('UPDATE jobs SET expires_at = UTC_TIMESTAMP(3) WHERE id = ?', [idToBytes(expired)]);
    const stranger = await bench.newCaller('free-100');
    const count = async (key: string) => ((await askJobs(api, key)).body['jobs'] as unknown[]).length;
    expect(await count(own.live)).toBe(1);
    expect(await count(own.test)).toBe(0);
    expect(await count(stranger.live)).toBe(0);
    const { body } = await askJobs(api, stranger.live, { path: `?cursor=${newId()}` });
    expect(body).toEqual({ jobs: [], next_cursor: null });
  });

  it.each<[string, string]>([
    ['?limit=0', 'limit must be at least 1'],
    ['?limit=101', 'limit must be at most 100'],
    ['?cursor=', 'cursor is not valid: it is what next_cursor of another page was'],
    ['?cursor=abc', 'cursor is not valid: it is what next_cursor of another page was'],
  ])('%s is refused', async (path, message) => {
    const { status, body } = await askJobs(api, caller.live, { path });
    expect([status, body]).toEqual([422, { error: { code: 'validation_failed', message } }]);
  });
});

describe('a deletion', () => {
  it('of a completed job hides it at once', async () => {
    const id = await completedJob(addresses(2));
    const deletion = await askJobs(api, caller.live, { method: 'DELETE', path: `/${id}` });
    expect([deletion.status, deletion.text]).toEqual([204, '']);
    expect((await read(id)).status).toBe(404);
    expect((await askJobs(api, caller.live, { method: 'DELETE', path: `/${id}` })).status).toBe(404);
    const { body } = await askJobs(api, caller.live, { path: '?limit=100' });
    expect((body['jobs'] as { id: string }[]).map((job) => job.id)).not.toContain(id);
  });

  it('accepts an id in upper and lower case, as GET and cursors do', async () => {
    const first = await completedJob(addresses(1));
    const second = await completedJob(addresses(1));
    expect((await read(first.toUpperCase())).body).toMatchObject({ id: first, status: 'completed' });
    const pages = [second, second.toUpperCase()].map((id) =>
      askJobs(api, caller.live, { path: `?limit=1&cursor=${id}` }),
    );
    const [lower, upper] = await Promise.all(pages);
    expect([upper!.status, (upper!.body['jobs'] as { id: string }[])[0]!.id]).toEqual([200, first]);
    expect(upper!.text).toBe(lower!.text);
    expect((await askJobs(api, caller.live, { method: 'DELETE', path: `/${first.toUpperCase()}` })).status).toBe(204);
    expect((await read(first)).status).toBe(404);
  });

  it('does not change the answer to a repeat of its submit', async () => {
    const again = () => submitJob(api, caller.live, addresses(2), { headers: { 'idempotency-key': 'deleted-later' } });
    const submit = await again();
    const id = String(submit.body['id']);
    await completeJob(bench.database.dataSource, id);
    expect((await askJobs(api, caller.live, { method: 'DELETE', path: `/${id}` })).status).toBe(204);
    const repeat = await again();
    expect([repeat.status, repeat.text]).toEqual([202, submit.text]);
    expect(repeat.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-credits-used': '0' });
    expect((await read(id)).status).toBe(404);
  });

  it('of an unfinished job is refused, and changes nothing', async () => {
    const id = String((await submitJob(api, caller.live, addresses(2))).body['id']);
    const { status, body } = await askJobs(api, caller.live, { method: 'DELETE', path: `/${id}` });
    expect([status, body]).toEqual([409, { error: { code: 'job_processing', message: expect.any(String) } }]);
    expect((await read(id)).status).toBe(200);
  });
});

it.each(['PUT', 'PATCH'] as const)('%s is not allowed', async (method) => {
  for (const [path, allow] of [
    ['', 'GET, HEAD, POST'],
    [`/${newId()}`, 'DELETE, GET, HEAD'],
  ]) {
    const { status, headers } = await askJobs(api, caller.live, { method: method as 'GET', path: path! });
    expect([status, headers['allow']]).toEqual([405, allow]);
  }
});
