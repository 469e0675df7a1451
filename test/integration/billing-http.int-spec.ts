import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { freePort } from '../support/free-port.js';
import { ask, BillingBench, single, type Answered, type Asked, type Caller } from './billing-api.js';
import { balanceOf, entriesOf, mismatches } from './billing-support.js';

let bench: BillingBench;
let api: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
  // It has connections to the database before the crowd comes.
  await ask(api, (await bench.newCaller('free-1')).live);
});
afterAll(() => bench.close());

const statuses = (answers: readonly Answered[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const sound = async ({ accountId }: Caller): Promise<void> =>
  expect(await mismatches(bench.database.dataSource, accountId)).toEqual([]);

describe('200 concurrent calls', () => {
  it('with 50 credits get 50 answers and 150 refusals with the missing amount, and leave 0', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 30, gifted: 20 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(api, caller.live)));
    expect(statuses(answers)).toEqual({ 200: 50, 402: 150 });
    for (const { headers, body } of answers.filter(({ status }) => status === 402)) {
      expect(headers['x-credits-required']).toBe('1');
      expect(body).toMatchObject({ error: { code: 'insufficient_credits' } });
    }
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 0, gifted: 0 });
    await sound(caller);
  });

  it('on two processes, with allowance and credits mixed, spend neither twice', async () => {
    const other = await bench.startApi();
    const caller = await bench.newCaller('free-100', { purchased: 50 });
    // As above.
    await ask(other, (await bench.newCaller('free-1')).live);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => ask(i % 2 === 0 ? api : other, caller.live)),
    );
    expect(statuses(answers)).toEqual({ 200: 150, 402: 50 });
    const used = answers.filter(({ status }) => status === 200).map(({ headers }) => headers['x-credits-used']);
    expect([used.filter((each) => each === '0').length, used.filter((each) => each === '1').length]).toEqual([100, 50]);
    await sound(caller);
  });
});

describe('one credit', () => {
  it('starts one probe at a time for a thousand calls', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    const before = bench.lab.sessions('mx.slow.example').length;
    const asked: Asked = { payload: single('ada@slow.example') };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(api, caller.live, asked)));
    expect(statuses(answers)).toEqual({ 200: 1, 402: 9 });
    expect(bench.lab.sessions('mx.slow.example').length - before).toBe(1);
  });
});

describe('the price', () => {
  it.each<[string, string, string | undefined, number]>([
    ['standard', 'ada@company.example', undefined, 1],
    ['enhanced', 'ada@company.example', 'enhanced', 3],
    ['enhanced, where a catch-all was known before', 'ada@known-catch-all.example', 'enhanced', 1],
    ['quick', 'ada@company.example', 'quick', 0],
    ['no address', 'ada', undefined, 0],
    ['no address, enhanced', 'ada', 'enhanced', 0],
    ['a domain without mail', 'ada@nothing.example', undefined, 1],
    ['a role address', 'info@company.example', undefined, 1],
  ])('of %s', async (_, email, mode, credits) => {
    const caller = await bench.newCaller('free-0', { purchased: 3 });
    const { status, headers } = await ask(api, caller.live, { payload: single(email, mode) });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-credits-used': String(credits), 'x-credits-remaining': String(3 - credits) });
    expect(await entriesOf(bench.database.dataSource, caller.accountId)).toHaveLength(credits === 0 ? 1 : 2);
    await sound(caller);
  });

  it.each<[string, string, string, number, string]>([
    ['enhanced', 'ada@company.example', 'enhanced', 1, '2'],
    ['enhanced, where a catch-all was known before', 'ada@known-catch-all.example', 'enhanced', 0, '1'],
    ['standard', 'ada@company.example', 'standard', 0, '1'],
  ])('of %s that exceeds the balance is refused before a probe', async (_, email, mode, purchased, required) => {
    const caller = await bench.newCaller('free-0', purchased > 0 ? { purchased } : {});
    const before = bench.lab.sessions('mx.company.example').length;
    const { status, headers } = await ask(api, caller.live, { payload: single(email, mode) });
    expect([status, headers['x-credits-required'], headers['x-credits-used']]).toEqual([402, required, '0']);
    expect(bench.lab.sessions('mx.company.example')).toHaveLength(before);
  });

  it('of a known catch-all is one credit', async () => {
    const caller = await bench.newCaller('free-0', { gifted: 1 });
    const { status } = await ask(api, caller.live, { payload: single('ada@known-catch-all.example', 'enhanced') });
    expect(status).toBe(200);
    expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ gifted: 0 });
  });

  it('is one free verify while the allowance lasts, in any mode', async () => {
    const caller = await bench.newCaller('free-1', { purchased: 5 });
    const enhanced: Asked = { payload: single('ada@company.example', 'enhanced') };
    const [first, second] = [await ask(api, caller.live, enhanced), await ask(api, caller.live, enhanced)];
    expect(first.headers).toMatchObject({
      'x-credits-used': '0',
      'x-credits-remaining': '5',
      'x-verify-free-remaining': '0',
    });
    expect(second.headers).toMatchObject({ 'x-credits-used': '3', 'x-credits-remaining': '2' });
    await sound(caller);
  });

  it('is zero for a check that we could not complete', async () => {
    const blind = await bench.startApi({ DNS_SERVERS: `127.0.0.1:${await freePort()}`, DNS_TIMEOUT_MS: '50' });
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    const { status, headers, body } = await ask(blind, caller.live);
    expect([status, body]).toMatchObject([503, { error: { code: 'verify_unavailable' } }]);
    expect(headers).toMatchObject({ 'x-credits-used': '0', 'x-credits-remaining': '1' });
    const poor = await bench.newCaller('free-0');
    expect((await ask(blind, poor.live)).status).toBe(402);
    expect((await ask(blind, poor.live, { payload: single('a@b.example', 'enhanced') })).headers).toMatchObject({
      'x-credits-required': '3',
    });
  });
});

describe('every answer to a valid key has the credit headers', () => {
  const balance = { 'x-credits-remaining': '7' };
  const verify = { ...balance, 'x-credits-used': '0', 'x-verify-free-remaining': '100' };
  it.each<[number, string, Asked, Record<string, string>]>([
    [400, 'no JSON', { payload: '{' }, verify],
    [415, 'no JSON type', { headers: { 'content-type': 'text/plain' } }, verify],
    [413, 'too large', { payload: 'x'.repeat(300_000) }, verify],
    [422, 'broken rule', { payload: '{}' }, verify],
    [422, 'no idempotency key', { headers: { 'idempotency-key': '' } }, verify],
    [404, 'unknown path', { url: '/v1/nothing' }, balance],
    [405, 'wrong method', { method: 'PUT' }, balance],
    [200, 'credits', { url: '/v1/credits', payload: null }, { ...balance, 'x-verify-free-remaining': '100' }],
    [
      422,
      'credits with a body',
      { url: '/v1/credits', payload: '[1]' },
      { ...balance, 'x-verify-free-remaining': '100' },
    ],
  ])('%i: %s', async (status, _, asked, headers) => {
    const caller = await bench.newCaller('free-100', { purchased: 3, gifted: 4 });
    const answer = await ask(api, caller.live, asked);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(headers);
    const said = Object.keys(answer.headers).filter((name) => /^x-(credits|verify)/.test(name));
    expect(said.sort()).toEqual(Object.keys(headers).sort());
    expect(await entriesOf(bench.database.dataSource, caller.accountId)).toHaveLength(2);
  });

  it('429 has them, too; 401 has none', async () => {
    await bench.database.dataSource.query(
      'INSERT IGNORE INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month) VALUES (?, 1, 0, 0)',
      ['slow'],
    );
    const caller = await bench.newCaller('slow', { purchased: 2 });
    await ask(api, caller.live);
    expect(await ask(api, caller.live)).toMatchObject({
      status: 429,
      headers: { 'x-credits-remaining': '1', 'x-credits-used': '0' },
    });
    const { status, headers } = await ask(api, null);
    expect(status).toBe(401);
    expect(Object.keys(headers).join()).not.toMatch(/credits/);
  });
});

describe('a sandbox key', () => {
  it('shows the real balance and changes nothing', async () => {
    const caller = await bench.newCaller('free-1', { purchased: 9 });
    const answer = await ask(api, caller.test);
    expect(answer.headers).toMatchObject({ 'x-sandbox': 'true', 'x-credits-remaining': '9', 'x-credits-used': '0' });
    expect(await entriesOf(bench.database.dataSource, caller.accountId)).toHaveLength(1);
  });
});

describe('/v1/credits', () => {
  it.each<[string, Asked]>([
    ['POST without a body', { payload: null }],
    ['POST with []', { payload: '[]' }],
    ['POST with {}', { payload: '{}' }],
    ['POST with unknown fields', { payload: '{"a":1}' }],
    ['POST with [] and no media type', { payload: '[]', headers: { 'content-type': undefined as never } }],
    ['POST with a media type and no body', { payload: null, headers: { 'content-type': 'application/json' } }],
    ['GET', { method: 'GET', payload: null }],
  ])('answers %s', async (_, asked) => {
    const caller = await bench.newCaller('free-100', { purchased: 3, gifted: 4 });
    await ask(api, caller.live);
    const answer = await ask(api, caller.live, { ...asked, url: '/v1/credits' });
    expect(answer.status).toBe(200);
    const month = { limit: 100, remaining: 99, resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/) };
    expect(answer.body).toEqual({
      plan: 'free-100',
      sandbox: false,
      credits: { total: 7, purchased: 3, gifted: 4 },
      rate_limit: {
        limit: 60_000,
        remaining: Number(answer.headers['x-ratelimit-remaining']),
        reset: Number(answer.headers['x-ratelimit-reset']),
      },
      free_verifies: month,
      guard: { ...month, limit: 1000, remaining: 1000 },
    });
    expect(answer.headers).toMatchObject({ 'x-credits-remaining': '7', 'x-verify-free-remaining': '99' });
  });

  it('shows a grant at once, and marks a sandbox key', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 3 });
    await bench.grant(caller.accountId, 2, 'gifted');
    const { body } = await ask(api, caller.test, { url: '/v1/credits', payload: null });
    expect(body).toMatchObject({ sandbox: true, credits: { total: 5, purchased: 3, gifted: 2 } });
  });

  it.each([['[1]'], ['"x"'], ['5']])('refuses %s', async (payload) => {
    const caller = await bench.newCaller('free-0');
    const { status, body } = await ask(api, caller.live, { url: '/v1/credits', payload });
    expect([status, body]).toMatchObject([422, { error: { code: 'validation_failed' } }]);
  });
});
