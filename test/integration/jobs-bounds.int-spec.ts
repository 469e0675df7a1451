import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BillingBench, type Caller } from './billing-api.js';
import { balanceOf, mismatches } from './billing-support.js';
import { addresses, askJobs, completeJob, countRows, submitJob, type JobAnswer } from './jobs-api.js';

let bench: BillingBench;
let apis: readonly NestFastifyApplication[];
const api = (i = 0): NestFastifyApplication => apis[i % apis.length]!;

beforeAll(async () => {
  bench = await BillingBench.start();
  apis = [await bench.startApi(), await bench.startApi()];
});
afterAll(() => bench.close());
beforeEach(async () => {
  for (const table of ['jobs', 'job_entries', 'job_results'])
    await bench.database.dataSource.query(`DELETE FROM ${table}`);
});

let plans = 0;
/** An account on a plan of its own. */
async function callerWith(
  bounds: { jobs_kept?: number; addresses_kept?: number; jobs_processing?: number },
  credits = 100_000,
): Promise<Caller> {
  const name = `bounded-${++plans}`;
  await bench.database.dataSource.query(
    `INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month, jobs_kept,
      addresses_kept, jobs_processing) VALUES (?, 60000, 0, 0, ?, ?, ?)`,
    [name, bounds.jobs_kept ?? null, bounds.addresses_kept ?? null, bounds.jobs_processing ?? null],
  );
  return bench.newCaller(name, { purchased: credits });
}
const outcome = ({ status, body }: JobAnswer): unknown =>
  status === 202 ? 'taken' : (body['error'] as { code: string }).code;
const tally = (answers: readonly JobAnswer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[String(outcome(answer))] = (counts[String(outcome(answer))] ?? 0) + 1;
  return counts;
};
const messageOf = ({ body }: JobAnswer): unknown => (body['error'] as { message: string }).message;
const idOf = ({ body }: JobAnswer): string => String(body['id']);

describe('concurrent submits in two processes', () => {
  it.each([
    ['jobs kept', { jobs_kept: 4 }, 1],
    ['jobs processing', { jobs_processing: 4 }, 1],
    ['addresses kept', { addresses_kept: 45 }, 10],
  ])('are accepted up to the %s, and no further', async (_, bounds, size) => {
    const caller = await callerWith(bounds);
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_each, i) => submitJob(api(i), caller.live, addresses(size))),
    );
    expect(tally(answers)).toEqual({ taken: 4, quota_exceeded: 12 });
    const { dataSource } = bench.database;
    expect(await countRows(dataSource)).toMatchObject({ jobs: 4, entries: 4 * size });
    expect(await balanceOf(dataSource, caller.accountId)).toMatchObject({ purchased: 100_000 - 4 * size });
    expect(await mismatches(dataSource, caller.accountId)).toEqual([]);
  });

  it('of other accounts and of the sandbox have their own limits', async () => {
    const [one, other] = [await callerWith({ jobs_kept: 2 }), await callerWith({ jobs_kept: 2 })];
    const keys = [one.live, one.test, other.live, other.test];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => submitJob(api(i), keys[i % 4]!, addresses(1))),
    );
    expect(tally(answers)).toEqual({ taken: 8, quota_exceeded: 16 });
  });
});

describe('at the limit', () => {
  it('the answer names it, comes before 402, and stores nothing', async () => {
    const caller = await callerWith({ jobs_kept: 1, addresses_kept: 5, jobs_processing: 1 }, 5);
    const tooLarge = await submitJob(api(), caller.live, addresses(6));
    expect(tooLarge.status).toBe(429);
    expect(messageOf(tooLarge)).toMatch(/at most 5 addresses in jobs; 0 are kept and this job counts as 6/);
    const first = await submitJob(api(), caller.live, addresses(5));
    expect(first.status).toBe(202);
    expect(messageOf(await submitJob(api(), caller.live, addresses(1)))).toMatch(/1 job processing/);
    await completeJob(bench.database.dataSource, idOf(first));
    expect(messageOf(await submitJob(api(), caller.live, addresses(1)))).toMatch(/keeps at most 1 job;/);
  });

  it('the repeat of an accepted submit is answered, and a refused key may be used again', async () => {
    const caller = await callerWith({ jobs_kept: 1 });
    const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
    const first = await submitJob(api(), caller.live, addresses(1), keyed('a'));
    expect((await submitJob(api(1), caller.live, addresses(1), keyed('a'))).text).toBe(first.text);
    expect(outcome(await submitJob(api(), caller.live, addresses(1), keyed('b')))).toBe('quota_exceeded');
    await completeJob(bench.database.dataSource, idOf(first));
    expect((await askJobs(api(), caller.live, { method: 'DELETE', path: `/${idOf(first)}` })).status).toBe(204);
    expect(outcome(await submitJob(api(), caller.live, addresses(1), keyed('b')))).toBe('taken');
  });

  it('a deleted or expired job frees its share at once', async () => {
    const caller = await callerWith({ jobs_kept: 2, addresses_kept: 4 });
    const jobs = [await submitJob(api(), caller.test, addresses(2)), await submitJob(api(), caller.test, addresses(2))];
    expect(outcome(await submitJob(api(), caller.test, addresses(2)))).toBe('quota_exceeded');
    await askJobs(api(), caller.test, { method: 'DELETE', path: `/${idOf(jobs[0]!)}` });
    expect(outcome(await submitJob(api(), caller.test, addresses(2)))).toBe('taken');
    await bench.database.dataSource.query('UPDATE jobs SET expires_at = UTC_TIMESTAMP(3) WHERE sandbox = 1');
    expect(outcome(await submitJob(api(), caller.test, addresses(2)))).toBe('taken');
  });

  it('a caller that deletes and submits repeatedly waits for the rows to be deleted', async () => {
    const caller = await callerWith({ jobs_kept: 1 });
    let answer = await submitJob(api(), caller.test, addresses(1));
    let taken = 0;
    for (; answer.status === 202; taken++) {
      await askJobs(api(), caller.test, { method: 'DELETE', path: `/${idOf(answer)}` });
      answer = await submitJob(api(), caller.test, addresses(1));
    }
    expect(taken).toBe(20);
    expect(answer.headers['retry-after']).toBe('60');
    expect(outcome(answer)).toBe('quota_exceeded');
  });

  it('invalid entries count, long ones as several, and so do jobs of the previous release', async () => {
    const caller = await callerWith({ addresses_kept: 10 });
    expect(outcome(await submitJob(api(), caller.test, ['x'.repeat(320 * 10 + 1)]))).toBe('quota_exceeded');
    expect(outcome(await submitJob(api(), caller.test, ['x'.repeat(320 * 3), null, 'no address']))).toBe('taken');
    await bench.database.dataSource.query('UPDATE jobs SET addresses_counted = NULL');
    expect(outcome(await submitJob(api(), caller.test, addresses(8)))).toBe('quota_exceeded');
    expect(outcome(await submitJob(api(), caller.test, addresses(7)))).toBe('taken');
  });
});
