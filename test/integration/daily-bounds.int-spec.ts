import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DailyAmounts } from '../../src/platform/redis/daily-amounts.js';
import { ask, BillingBench, single, type Answered } from './billing-api.js';

let bench: BillingBench;
let apis: readonly NestFastifyApplication[];
beforeAll(async () => {
  bench = await BillingBench.start();
  apis = [await bench.startApi(), await bench.startApi()];
  await bench.database.dataSource.query(
    `INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month, addresses_kept)
      VALUES ('small', 60000, 5, 0, 3)`,
  );
});
afterAll(() => bench.close());

const codeOf = ({ status, body }: Answered): unknown =>
  status < 300 ? 'ok' : (body['error'] as { code: string }).code;

describe('free answers under an Idempotency-Key', () => {
  const verify = (key: string, idempotencyKey: string | null, process = 0): Promise<Answered> =>
    ask(apis[process]!, key, {
      payload: single('valid@example.com'),
      ...(idempotencyKey !== null && { headers: { 'idempotency-key': idempotencyKey } }),
    });

  it('are stored up to the limit of the plan, across all processes', async () => {
    const caller = await bench.newCaller('small');
    const first = await verify(caller.test, 'first');
    // 3 KiB: as many results as fit, of some 800 octets each.
    const fitting = Math.floor((3 * 1024) / first.text.length);
    const others = await Promise.all(Array.from({ length: 8 }, (_, i) => verify(caller.test, `other-${i}`, i % 2)));
    expect(others.map(codeOf).filter((code) => code === 'ok')).toHaveLength(fitting - 1);
    const refused = others.find(({ status }) => status === 429)!;
    expect(codeOf(refused)).toBe('quota_exceeded');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);

    expect((await verify(caller.test, 'first', 1)).headers['idempotency-replayed']).toBe('true');
    expect(codeOf(await verify(caller.test, null))).toBe('ok');
    // Those of live keys have their own room, and what is paid for needs none.
    for (let i = 0; i < 5; i++) {
      const paid = { payload: single('info@company.example'), headers: { 'idempotency-key': `paid-${i}` } };
      expect(codeOf(await ask(apis[0]!, caller.live, paid))).toBe('ok');
    }
  });
});

describe('guard events', () => {
  const EVENT = { verdict: 'valid', action: 'allow', reasons: [], degraded: false, source: 'local' };
  const report = (key: string, count: number, process: number): Promise<Answered> => {
    const events = Array.from({ length: count }, () => EVENT);
    return ask(apis[process]!, key, { url: '/v1/guard/events', payload: JSON.stringify({ events }) });
  };

  it('are stored exactly up to the daily limit of the plan', async () => {
    const caller = await bench.newCaller('small');
    const amounts = apis[0]!.get(DailyAmounts, { strict: false });
    expect(await amounts.add(`events:live:${caller.accountId}`, 9700, 10_000)).toBeNull();
    const reports = await Promise.all(Array.from({ length: 6 }, (_, i) => report(caller.live, 100, i % 2)));
    const codes = reports.map(codeOf);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(3);
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(3);
    const [row] = await bench.database.dataSource.query<{ stored: string }[]>(
      'SELECT COUNT(*) AS stored FROM guard_events',
    );
    expect(Number(row!.stored)).toBe(300);
    expect(codeOf(await report(caller.test, 1, 0))).toBe('ok');
  });
});
