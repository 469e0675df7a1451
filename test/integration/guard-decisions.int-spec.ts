import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { setTimeout as delay } from 'node:timers/promises';
import { createConnection, type Connection } from 'mysql2/promise';
import { DecisionCountsRepository } from '../../src/billing/decisions/decision-counts.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { startClockRelay, type ClockRelay } from '../e2e/billing-clock-relay.js';
import { presentMonthEnd } from '../support/month-end.js';
import { waitUntil } from '../support/wait-until.js';
import { ask, BILLED, BillingBench, single, type Answered, type Caller } from './billing-api.js';

const GUARD = { 'x-guard-integration': 'email-guard-test/1.0' };
/** Free verifies of the plan of these tests, and remote decisions. */
const DECISIONS = 10;
const end = presentMonthEnd();
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

let bench: BillingBench;
let apis: NestFastifyApplication[];
let database: Connection;
let clock: ClockRelay;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  database = await createConnection(bench.database.url);
  await database.query(
    'INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month) VALUES (?, 60000, 0, ?), (?, 60000, 0, 0)',
    ['guarded', DECISIONS, 'unguarded'],
  );
  clock = await startClockRelay(bench.database.url, database, end.before(WEEK_MS));
  apis = [
    await bench.startApi({ DATABASE_URL: clock.url, GUARD_DEADLINE_MS: '60000' }),
    await bench.startApi({ DATABASE_URL: clock.url, GUARD_DEADLINE_MS: '60000' }),
  ];
  // They have connections to the database before a crowd comes.
  const first = await bench.newCaller('guarded', { purchased: 2 });
  for (const api of apis) await ask(api, first.live, { headers: GUARD });
});
afterAll(async () => {
  await database?.end();
  await bench?.close();
  await clock?.close();
});
beforeEach(async () => {
  await clock.set(end.before(WEEK_MS));
  caller = await bench.newCaller('guarded', { purchased: 100 });
});

const decide = (
  payload = BILLED,
  headers: Readonly<Record<string, string>> = GUARD,
  api = apis[0]!,
): Promise<Answered> => ask(api, caller.live, { payload, headers });

async function quota(): Promise<{ credits: number; limit: number; remaining: number; resets_at: string }> {
  const { body } = await ask(apis[0]!, caller.live, { url: '/v1/credits', method: 'GET', payload: null });
  const { credits, guard } = body as { credits: { total: number }; guard: { limit: number; remaining: number } };
  return { credits: credits.total, ...(guard as { limit: number; remaining: number; resets_at: string }) };
}
async function rowsOf(sql: string, account: Buffer): Promise<unknown[]> {
  const [rows] = await database.query(sql, [account]);
  return rows as unknown[];
}

/** Units that are given back are so in the background. */
const remains = (remaining: number): Promise<boolean> =>
  waitUntil(async () => (await quota()).remaining === remaining, { ms: 60_000 }) as Promise<boolean>;

describe('the quota of remote decisions', () => {
  it('is never exceeded by 30 concurrent calls on two processes; beyond it nothing is checked or paid', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => decide(BILLED, GUARD, apis[i % 2])));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const [told, degraded] = [false, true].map((is) => answers.filter(({ body }) => body['degraded'] === is));
    expect([told?.length, degraded?.length]).toEqual([DECISIONS, 30 - DECISIONS]);
    expect(new Set(told?.map(({ body }) => body['result']))).toEqual(new Set(['role']));
    for (const { body, headers } of degraded ?? []) {
      expect(body).toMatchObject({
        email: 'info@company.example',
        result: 'unknown',
        reason: null,
        deliverable: null,
        decision: { recommendation: 'review', reasons: [] },
      });
      expect(Object.keys(body)).toEqual(Object.keys(told![0]!.body));
      expect(headers['x-credits-used']).toBe('0');
    }
    expect(await quota()).toEqual({
      credits: 100 - DECISIONS,
      limit: DECISIONS,
      remaining: 0,
      resets_at: end.resetsAt[0],
    });
  });

  it('counts only guard calls, and no repeats with the same Idempotency-Key', async () => {
    await decide(BILLED, {});
    await decide(BILLED, { 'user-agent': 'email-guard-php/2.0' });
    await decide(single('no address'));
    await decide(single('info@company.example', 'quick'));
    for (const _ of [1, 2, 3]) await decide(BILLED, { ...GUARD, 'idempotency-key': 'once' });
    expect(await quota()).toMatchObject({ remaining: DECISIONS - 4, credits: 100 - 3 });
  });

  it('does not count test keys', async () => {
    const answer = await ask(apis[0]!, caller.test, { headers: GUARD, payload: single('valid@company.example') });
    expect(answer).toMatchObject({ status: 200, body: { degraded: false } });
    expect((await quota()).remaining).toBe(DECISIONS);
  });

  it('counts nothing of an account that is deleted meanwhile', async () => {
    const account = newId();
    expect(await new DecisionCountsRepository(bench.database.dataSource).take(account, end.months[0], 1, null)).toBe(0);
    const [rows] = await database.query('SELECT 1 FROM decision_counts WHERE account_id = ?', [idToBytes(account)]);
    expect(rows).toEqual([]);
  });

  it('resets with the month of the database, and is unlimited on an unlimited plan', async () => {
    await clock.set(end.before(1));
    for (let i = 0; i <= DECISIONS; i++) await decide();
    expect((await decide()).body['degraded']).toBe(true);
    await clock.set(end.at);
    expect(await quota()).toMatchObject({ remaining: DECISIONS, resets_at: end.resetsAt[1] });
    expect((await decide()).body['degraded']).toBe(false);
    const [rows] = await database.query('SELECT month, used FROM decision_counts WHERE account_id = ? ORDER BY month', [
      idToBytes(caller.accountId),
    ]);
    expect(rows).toEqual([
      { month: end.months[0], used: DECISIONS },
      { month: end.months[1], used: 1 },
    ]);
    caller = await bench.newCaller('unguarded', { purchased: 5 });
    expect((await decide()).body['degraded']).toBe(true);
    expect(await quota()).toMatchObject({ limit: 0, remaining: 0, credits: 5 });
  });

  it('follows a change of plan, and keeps the count', async () => {
    for (let i = 0; i < 3; i++) await decide();
    await database.query("UPDATE accounts SET plan = 'unguarded' WHERE id = ?", [idToBytes(caller.accountId)]);
    // Processes remember a caller for seconds.
    const noticed = await waitUntil(async () => (await quota()).limit === 0, { ms: 60_000, everyMs: 200 });
    expect(noticed).toBe(true);
    expect((await quota()).remaining).toBe(0);
    expect((await decide()).body['degraded']).toBe(true);
    await database.query("UPDATE accounts SET plan = 'guarded' WHERE id = ?", [idToBytes(caller.accountId)]);
    expect(await remains(DECISIONS - 3)).toBe(true);
  });

  it('is returned by a call without an answer', async () => {
    caller = await bench.newCaller('guarded', { purchased: 2 });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => decide(BILLED, GUARD, apis[i % 2])));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 402, 402, 402, 402, 402, 402,
    ]);
    expect(await remains(DECISIONS - 2)).toBe(true);
  });
});

describe('a charge that has to wait', () => {
  it('is refused at the deadline of the answer, and refunded automatically', async () => {
    const quick = await bench.startApi({ GUARD_DEADLINE_MS: '2000' });
    // A first call finds the process warm.
    await decide(BILLED, GUARD, quick);
    const holder = await createConnection(bench.database.url);
    await holder.beginTransaction();
    await holder.query('SELECT 1 FROM account_balances WHERE account_id = ? FOR UPDATE', [idToBytes(caller.accountId)]);
    const began = performance.now();
    const answer = await decide(BILLED, GUARD, quick);
    const took = performance.now() - began;
    await holder.rollback();
    await holder.end();
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'service_unavailable' } } });
    // The charge alone would wait for ten seconds.
    expect(took).toBeLessThan(8000);
    expect(await remains(DECISIONS - 1)).toBe(true);
    expect((await decide(BILLED, GUARD, quick)).status).toBe(200);
    expect((await quota()).credits).toBe(98);
  });

  it('keeps its probe where its answer is kept for repeats', async () => {
    const quick = await bench.startApi({ GUARD_DEADLINE_MS: '2000' });
    await decide(BILLED, GUARD, quick);
    const [counts, records] = await Promise.all([0, 1].map(() => createConnection(bench.database.url)));
    const account = idToBytes(caller.accountId);
    const idOf = 'SELECT id FROM idempotency_records WHERE account_id = ?';
    const payload = JSON.stringify({ email: 'ada@company.example', async: true });
    const keyed = { ...GUARD, 'idempotency-key': 'kept' };
    // The decision waits until the key is there to be locked.
    await counts!.beginTransaction();
    await counts!.query('SELECT 1 FROM decision_counts WHERE account_id = ? FOR UPDATE', [account]);
    const asking = decide(payload, keyed, quick);
    const hasKey = async (): Promise<boolean> => (await rowsOf(idOf, account)).length === 1;
    expect(await waitUntil(hasKey, { ms: 60_000 })).toBe(true);
    await records!.beginTransaction();
    await records!.query(`${idOf} FOR UPDATE`, [account]);
    await delay(500);
    await counts!.rollback();
    expect((await asking).status).toBe(503);
    // What is dropped in the background is gone by now.
    await delay(200);
    await records!.rollback();
    const isKept = async (): Promise<boolean> => (await decide(payload, keyed, quick)).status === 200;
    expect(await waitUntil(isKept, { ms: 60_000 })).toBe(true);
    expect((await quota()).credits).toBe(98);
    const probes = await rowsOf('SELECT 1 FROM pending_probes WHERE account_id = ? AND active = 1', account);
    expect(probes).toHaveLength(1);
    for (const connection of [counts, records]) await connection!.end();
  });
});
