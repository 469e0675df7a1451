import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ask, BillingBench, type Answered, type Caller } from './billing-api.js';
import { balanceOf, entriesOf, mismatches } from './billing-support.js';

let bench: BillingBench;
let apis: NestFastifyApplication[];
beforeAll(async () => {
  bench = await BillingBench.start();
  apis = [await bench.startApi(), await bench.startApi()];
});
afterAll(() => bench.close());

/** Billed, and answered without asking a mail host: roles of a company. */
const ROLE = 'info@company.example';
const PENDING = 'ada@company.example';

const batch = (api: NestFastifyApplication, caller: Caller, emails: readonly string[], options: object = {}) =>
  ask(api, caller.live, { url: '/v1/verify/batch', payload: JSON.stringify({ emails, ...options }) });

interface Entry {
  readonly error?: string;
  readonly reason?: string;
}
const entriesIn = ({ body }: Answered): Entry[] => body['results'] as Entry[];
const delivered = (answer: Answered): number => entriesIn(answer).filter(({ error }) => error === undefined).length;
const used = ({ headers }: Answered): number => Number(headers['x-credits-used']);

/** Errors of a list that was paid in part: none up to one entry, and from there on all. */
function isABeginning(answer: Answered): boolean {
  const errors = entriesIn(answer).map(({ error }) => error);
  const first = errors.indexOf('insufficient_credits');
  return first === -1 || errors.slice(first).every((error) => error === 'insufficient_credits');
}

it('concurrent batches on two processes pay exactly for what they deliver, down to the last credit', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 90, gifted: 33 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => batch(apis[i % 2]!, caller, Array<string>(1 + (i % 9)).fill(ROLE))),
  );
  const served = answers.filter(({ status }) => status === 200);
  expect(answers.every(({ status }) => status === 200 || status === 402)).toBe(true);
  for (const answer of served) {
    expect(delivered(answer)).toBe(used(answer));
    expect(delivered(answer)).toBeGreaterThan(0);
    expect(isABeginning(answer)).toBe(true);
  }
  expect(served.reduce((sum, answer) => sum + used(answer), 0)).toBe(123);
  for (const { headers } of answers.filter(({ status }) => status === 402)) {
    expect(Number(headers['x-credits-required'])).toBeGreaterThan(0);
  }
  expect(await balanceOf(bench.database.dataSource, caller.accountId)).toMatchObject({ purchased: 0, gifted: 0 });
  expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
});

it('concurrent singles and enhanced batches never make the balance negative, and are each paid once', async () => {
  const caller = await bench.newCaller('free-1', { purchased: 50 });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      i % 3 === 0
        ? ask(apis[i % 2]!, caller.live)
        : batch(apis[i % 2]!, caller, Array<string>(4).fill(ROLE), { mode: 'enhanced' }),
    ),
  );
  const credits = answers.filter(({ status }) => status === 200).reduce((sum, answer) => sum + used(answer), 0);
  const left = await balanceOf(bench.database.dataSource, caller.accountId);
  expect(left['purchased']).toBe(50 - credits);
  for (const answer of answers.filter(({ body }) => 'results' in body)) {
    expect([0, 3 * delivered(answer)]).toContain(used(answer));
    expect(isABeginning(answer)).toBe(true);
  }
  expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
});

it('a batch that exceeds the remaining allowance is paid in credits, and leaves the allowance untouched', async () => {
  const caller = await bench.newCaller('free-40', { purchased: 20 });
  const fifty = Array<string>(50).fill(ROLE);
  const first = await batch(apis[0]!, caller, fifty);
  expect([first.status, delivered(first), used(first), isABeginning(first)]).toEqual([200, 20, 20, true]);
  expect(first.headers).toMatchObject({ 'x-credits-remaining': '0', 'x-verify-free-remaining': '40' });
  const second = await batch(apis[1]!, caller, fifty);
  expect(second).toMatchObject({
    status: 402,
    headers: { 'x-credits-required': '50' },
    body: {
      error: {
        code: 'insufficient_credits',
        message: 'The balance is too low by 50. 40 free verifies are left this month, and this call needs 50.',
      },
    },
  });
  const third = await batch(apis[0]!, caller, fifty.slice(0, 40));
  expect([third.status, delivered(third), used(third)]).toEqual([200, 40, 0]);
  expect(third.headers).toMatchObject({ 'x-verify-free-remaining': '0' });
  expect(await mismatches(bench.database.dataSource, caller.accountId)).toEqual([]);
});

it('a batch that is paid in part waits only for its paid probes, and its repeat is the same', async () => {
  const caller = await bench.newCaller('free-0', { purchased: 2 });
  const asked = {
    url: '/v1/verify/batch',
    payload: JSON.stringify({ emails: [PENDING, 'bob@company.example', 'eve@company.example', 'no address'] }),
    headers: { 'idempotency-key': 'in part' },
  };
  const first = await ask(apis[0]!, caller.live, asked);
  expect(entriesIn(first).map(({ reason, error }) => error ?? reason)).toEqual([
    'verification_pending',
    'verification_pending',
    'insufficient_credits',
    'insufficient_credits',
  ]);
  const repeat = await ask(apis[1]!, caller.live, asked);
  expect([repeat.status, repeat.text]).toEqual([200, first.text]);
  expect(repeat.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-credits-used': '0' });
  const [charge] = (await entriesOf(bench.database.dataSource, caller.accountId)).slice(1);
  const rows = await bench.database.dataSource.query<{ reference: string; part: string; credits: number }[]>(
    'SELECT reference, part, credits FROM waiting_charges WHERE reference = ? ORDER BY part',
    [charge!.reference],
  );
  expect(rows.map(({ part, credits }) => [part, credits])).toEqual([
    ['0', 1],
    ['1', 1],
  ]);
});
