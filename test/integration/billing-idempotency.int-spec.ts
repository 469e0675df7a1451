import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { IdempotencyRepository } from '../../src/billing/idempotency/idempotency.repository.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { ask, BILLED, BillingBench, single, type Answered, type Asked, type Caller } from './billing-api.js';
import { entriesOf, mismatches } from './billing-support.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let other: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start();
  [api, other] = [await bench.startApi(), await bench.startApi()];
});
afterAll(() => bench.close());

const keyed = (key: string, payload: string = BILLED): Asked => ({ payload, headers: { 'idempotency-key': key } });
const charges = async ({ accountId }: Caller): Promise<number> =>
  (await entriesOf(bench.database.dataSource, accountId)).filter(({ kind }) => kind === 'charge').length;
const conflict = { status: 409, body: { error: { code: 'idempotency_conflict', message: expect.any(String) } } };
/** As if so much time had passed. */
const age = (hours: number): Promise<unknown> =>
  bench.database.dataSource.query('UPDATE idempotency_records SET expires_at = expires_at - INTERVAL ? HOUR', [hours]);

it('two keys are refused and cost nothing', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 5 });
  const { port } = api.getHttpServer().address() as AddressInfo;
  const headers = { 'x-api-key': caller.live, 'content-type': 'application/json', 'idempotency-key': ['k', 'k'] };
  const call = request({ port, method: 'POST', path: '/v1/verify/single', headers }).end(BILLED);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  expect([answer.statusCode, await text(answer)]).toEqual([422, expect.stringContaining('Idempotency-Key')]);
  expect(await charges(caller)).toBe(0);
});

describe('a repeat', () => {
  it.each<[string, string]>([
    ['a paid answer', single('ada@company.example')],
    ['an answer that costs nothing', single('no address')],
    ['an answer of quick mode', single('ada@company.example', 'quick')],
  ])('gets %s again, byte for byte, from any process, and pays nothing', async (_, payload) => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    const first = await ask(api, caller.live, keyed('k', payload));
    const repeats = [
      await ask(api, caller.live, keyed('k', payload)),
      await ask(other, caller.live, keyed('k', payload)),
    ];
    const paid = await charges(caller);
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    for (const repeat of repeats) {
      expect([repeat.status, repeat.text]).toEqual([200, first.text]);
      expect(repeat.headers['content-type']).toBe(first.headers['content-type']);
      expect(repeat.headers).toMatchObject({
        'idempotency-replayed': 'true',
        'x-credits-used': '0',
        'x-credits-remaining': String(5 - paid),
        'x-ratelimit-limit': '60000',
      });
    }
    expect(paid).toBe(payload.includes('ada@') && !payload.includes('quick') ? 1 : 0);
  });

  it.each(['{ "email": "info@company.example" }', '{"async":null,"email":"info@company.example","max_age":null}'])(
    'matches if the same call is written differently: %s',
    async (payload) => {
      const caller = await bench.newCaller('free-0', { purchased: 5 });
      await ask(api, caller.live, keyed('k', '{"email":"info@company.example"}'));
      expect((await ask(api, caller.live, keyed('k', payload))).headers).toHaveProperty('idempotency-replayed');
      await ask(api, caller.live, keyed('reversed', payload));
      const repeat = await ask(api, caller.live, keyed('reversed', '{"email":"info@company.example"}'));
      expect(repeat.headers).toHaveProperty('idempotency-replayed');
    },
  );

  it('with another body is a conflict; another scope is not', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    await ask(api, caller.live, keyed('k'));
    const answer = await ask(api, caller.live, keyed('k', single('bob@company.example')));
    expect(answer).toMatchObject(conflict);
    expect(answer.headers).not.toHaveProperty('retry-after');
    expect((await ask(api, caller.live, keyed('K', single('bob@company.example')))).status).toBe(200);
    const stranger = await bench.newCaller('free-0', { purchased: 5 });
    expect((await ask(api, stranger.live, keyed('k'))).headers).not.toHaveProperty('idempotency-replayed');
    expect(await charges(caller)).toBe(2);
  });

  it('that conflicts is refused after the body is validated and before the balance is read', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    await ask(api, caller.live, keyed('k'));
    expect((await ask(api, caller.live)).status).toBe(402);
    expect(await ask(api, caller.live, keyed('k', single('bob@company.example')))).toMatchObject(conflict);
    expect((await ask(api, caller.live, keyed('k', '{}'))).status).toBe(422);
  });

  it('is answered without credits, too', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    await ask(api, caller.live, keyed('k'));
    expect((await ask(api, caller.live)).status).toBe(402);
    expect((await ask(api, caller.live, keyed('k'))).status).toBe(200);
  });

  it('is a first call again after the answer has expired', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    await ask(api, caller.live, keyed('k'));
    await age(23);
    expect((await ask(api, caller.live, keyed('k'))).headers).toHaveProperty('idempotency-replayed');
    await age(2);
    expect((await ask(api, caller.live, keyed('k', single('bob@company.example')))).status).toBe(200);
    expect(await charges(caller)).toBe(2);
  });
});

it('an answer is kept for as many hours as IDEMPOTENCY_TTL_HOURS says', async () => {
  const hasty = await bench.startApi({ IDEMPOTENCY_TTL_HOURS: '2' });
  const caller = await bench.newCaller('free-0', { purchased: 5 });
  for (const [key, payload] of Object.entries({ paid: BILLED, free: single('no address') })) {
    await ask(hasty, caller.live, keyed(key, payload));
    await age(1);
    expect((await ask(hasty, caller.live, keyed(key, payload))).headers).toHaveProperty('idempotency-replayed');
    await age(1);
    expect((await ask(hasty, caller.live, keyed(key, payload))).headers).not.toHaveProperty('idempotency-replayed');
  }
  expect(await charges(caller)).toBe(2);
});

describe('a refusal', () => {
  it('is not stored: the next call with the key runs', async () => {
    const caller = await bench.newCaller('free-0');
    expect((await ask(api, caller.live, keyed('k'))).status).toBe(402);
    await bench.grant(caller.accountId, 1);
    expect((await ask(api, caller.live, keyed('k'))).status).toBe(200);
    expect(await charges(caller)).toBe(1);
  });

  it.each(['', 'x'.repeat(256), 'schlüssel'])('answers an invalid key: %j', async (key) => {
    const caller = await bench.newCaller('free-0', { purchased: 1 });
    const { status, body } = await ask(api, caller.live, keyed(key));
    expect([status, body]).toEqual([
      422,
      { error: { code: 'validation_failed', message: expect.stringContaining('Idempotency-Key') } },
    ]);
  });
});

describe('while the first call runs', () => {
  it('others with its key get 409 with Retry-After, on any process', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    const asked = keyed('k', single('ada@slow.example'));
    const answers: Answered[] = await Promise.all(
      Array.from({ length: 12 }, (_, i) => ask(i % 2 === 0 ? api : other, caller.live, asked)),
    );
    const ran = answers.find(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({ ...conflict, headers: { 'retry-after': '1' } });
    }
    expect((await ask(other, caller.live, asked)).text).toBe(ran?.text);
    expect(await charges(caller)).toBe(1);
    expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
  });

  it('the key is free a minute after its process dies', async () => {
    const caller = await bench.newCaller('free-0', { purchased: 5 });
    // What a process leaves behind that is killed while a call runs.
    await bench.database.dataSource.query('DELETE FROM idempotency_records');
    const slow = ask(api, caller.live, keyed('k', single('bob@slow.example')));
    let row: { expires_at: Date; status: number | null } | undefined;
    while (row === undefined) {
      [row] = await bench.database.dataSource.query('SELECT expires_at, status FROM idempotency_records');
    }
    expect(row.status).toBeNull();
    expect(Math.abs(row.expires_at.getTime() - Date.now() - 60_000)).toBeLessThan(30_000);
    await age(1);
    const taken = await ask(other, caller.live, keyed('k', single('bob@slow.example')));
    // The slow one has lost its turn meanwhile: one of them was charged, and its answer is the one that is kept.
    const first = await slow;
    expect([first, taken].filter(({ status }) => status === 409)).toHaveLength(1);
    expect(await charges(caller)).toBe(1);
    const repeat = await ask(api, caller.live, keyed('k', single('bob@slow.example')));
    expect(repeat.text).toBe(first.status === 200 ? first.text : taken.text);
  });
});

it('only expired records are deleted, in batches', async () => {
  const records = new IdempotencyRepository(bench.database.dataSource);
  await bench.database.dataSource.query('DELETE FROM idempotency_records');
  const caller = await bench.newCaller('free-0', { purchased: 5 });
  for (const key of ['a', 'b', 'c']) await ask(api, caller.live, keyed(key));
  await age(25);
  await ask(api, caller.live, keyed('d'));
  expect([await records.deleteExpired(2), await records.deleteExpired(2), await records.deleteExpired(2)]).toEqual([
    2, 1, 0,
  ]);
  const rows = await bench.database.dataSource.query<{ account_id: Buffer }[]>(
    'SELECT account_id FROM idempotency_records',
  );
  expect(rows.map(({ account_id }) => account_id)).toEqual([idToBytes(caller.accountId)]);
});
