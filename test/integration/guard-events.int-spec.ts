import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EVENTS_KEPT_DAYS, GuardEventsRepository } from '../../src/guard/events/guard-events.repository.js';
import { PropertiesRepository } from '../../src/guard/properties/properties.repository.js';
import { idFromBytes, idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { ask, BillingBench, type Answered, type Caller } from './billing-api.js';
import { setTestClock, TEST_CLOCK } from './billing-support.js';
import { purge } from '../support/purge.js';

const EVENT = { verdict: 'valid', action: 'allow', reasons: ['mailbox_accepts'], degraded: false, source: 'remote' };

let bench: BillingBench;
let api: NestFastifyApplication;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi({ LOG_LEVEL: 'trace' });
});
afterAll(() => bench?.close());
beforeEach(async () => {
  caller = await bench.newCaller('free-0', { purchased: 5 });
});

const report = (events: unknown, key = caller.live): Promise<Answered> =>
  ask(api, key, { url: '/v1/guard/events', payload: JSON.stringify({ events }) });

interface Row {
  sandbox: number;
  at: Date;
  property_id: Buffer | null;
  domain: string | null;
  verdict: string;
  action: string;
  source: string;
  degraded: number;
  reasons: unknown;
  integration: string | null;
}
const rows = (): Promise<Row[]> =>
  bench.database.dataSource.query('SELECT * FROM guard_events WHERE account_id = ? ORDER BY sandbox, id', [
    idToBytes(caller.accountId),
  ]);

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { dataSource } = bench.database;
  const tables = await dataSource.query<Record<string, string>[]>('SHOW TABLES');
  const texts = [];
  for (const table of tables.flatMap((row) => Object.values(row))) {
    const found = await dataSource.query<Record<string, unknown>[]>(`SELECT * FROM \`${table}\``);
    const shown = found.map((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString() : value)),
    );
    texts.push(JSON.stringify(shown));
  }
  return texts.join('\n');
}

it('what a call reports of an account that is deleted meanwhile is not stored', async () => {
  const event = { ...EVENT, domain: null, integration: null, lib_version: null, spec_version: null };
  const owner = { accountId: newId(), sandbox: false };
  const { dataSource } = bench.database;
  await new GuardEventsRepository(dataSource).insert(owner, [{ event: event as never, propertyId: null }]);
  const stored = await dataSource.query('SELECT 1 FROM guard_events WHERE account_id = ?', [
    idToBytes(owner.accountId),
  ]);
  expect(stored).toEqual([]);
});

describe('POST /v1/guard/events', () => {
  it('stores the valid events of a hundred as they were sent, and counts the others', async () => {
    const bad: unknown[] = [
      null,
      'valid',
      5,
      [],
      {},
      { ...EVENT, verdict: undefined },
      { ...EVENT, action: 'a b' },
      { ...EVENT, source: '' },
      { ...EVENT, verdict: 'v'.repeat(65) },
      { ...EVENT, reasons: 'none' },
      { ...EVENT, reasons: Array(21).fill('r') },
      { ...EVENT, reasons: ['r'.repeat(65)] },
      { ...EVENT, degraded: 1 },
      { ...EVENT, domain: 'secret-person@leak.example' },
      { ...EVENT, domain: 'secret-person%40leak.example' },
      { ...EVENT, reasons: ['secret-person@leak.example'] },
      { ...EVENT, domain: 'd'.repeat(254) },
      { ...EVENT, integration: 7 },
      { ...EVENT, property_key: 'k'.repeat(65) },
      { ...EVENT, domain: 'a\uD800' },
    ];
    const good = Array.from({ length: 100 - bad.length }, (_, i) => ({
      ...EVENT,
      verdict: `verdict-${i}`,
      domain: i % 2 === 0 ? 'Example.org' : null,
      reasons: ['Grüße 😀', `reason ${i}`],
      degraded: i % 3 === 0,
      integration: '@acme/guard',
      unknown_field: 'secret-person@leak.example',
    }));
    const sent = good.flatMap((event, i) => (i < bad.length ? [event, bad[i]] : [event]));
    const { status, body, headers } = await report(sent);
    expect({ status, body }).toEqual({ status: 202, body: { accepted: good.length, rejected: bad.length } });
    expect(headers['x-ratelimit-remaining']).toBeDefined();
    expect(headers['x-credits-remaining']).toBe('5');

    const stored = await rows();
    expect(stored).toHaveLength(good.length);
    expect(
      stored.map(({ verdict, domain, degraded, reasons, integration }) => ({
        verdict,
        domain,
        degraded: degraded === 1,
        reasons: typeof reasons === 'string' ? (JSON.parse(reasons) as unknown) : reasons,
        integration,
      })),
    ).toEqual(
      good.map(({ verdict, domain, degraded, reasons, integration }) => ({
        verdict,
        domain: domain?.toLowerCase() ?? null,
        degraded,
        reasons,
        integration,
      })),
    );
    expect(await dump()).not.toMatch(/secret-person|leak\.example/);
    expect(bench.logged.join('')).toContain('/v1/guard/events');
    expect(bench.logged.join('')).not.toMatch(/secret-person|leak\.example/);
  });

  it('refuses a report without any valid event, naming every fault and no value', async () => {
    const { status, body, text } = await report([{ ...EVENT, domain: 'secret-person@leak.example' }, null]);
    expect(status).toBe(422);
    expect(body).toEqual({
      error: {
        code: 'validation_failed',
        message: 'events[0].domain is not valid: an address must not be sent; events[1] must be an object',
      },
    });
    expect(text).not.toContain('secret-person');
    expect(await rows()).toEqual([]);
    expect(bench.logged.join('')).not.toContain('secret-person');
  });

  it.each<[string, unknown, string]>([
    ['none', [], 'events must have at least 1 entry'],
    ['101', Array.from({ length: 101 }, () => EVENT), 'events must have at most 100 entries'],
    ['no list', { 0: EVENT }, 'events must be a list'],
    ['nothing', undefined, 'events is required'],
  ])('refuses %s', async (_, events, message) => {
    expect(await report(events)).toMatchObject({
      status: 422,
      body: { error: { code: 'validation_failed', message } },
    });
    expect(await rows()).toEqual([]);
  });

  it('applies the limits of every endpoint', async () => {
    const long = { ...EVENT, padding: 'x'.repeat(300_000) };
    expect(await report([long])).toMatchObject({ status: 413 });
    expect(await ask(api, 'mv_live_nobody', { url: '/v1/guard/events', payload: '{}' })).toMatchObject({ status: 401 });
    const get = await ask(api, caller.live, { url: '/v1/guard/events', method: 'GET', payload: null });
    expect(get).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  });

  it('assigns events to the property with the given key, else to the account', async () => {
    const other = await bench.newCaller('free-0');
    const properties = new PropertiesRepository(bench.database.dataSource);
    await properties.insert(caller.accountId, { key: 'site_own', name: 'Shop' }, 'test');
    await properties.insert(other.accountId, { key: 'site_other', name: 'Not ours' }, 'test');
    const [own] = await properties.list(caller.accountId);
    const keys = ['site_own', 'site_other', 'site_nobody', 'SITE_OWN', 'site_…', 'sïte_own', null];
    expect(await report(keys.map((property_key) => ({ ...EVENT, property_key })))).toMatchObject({ status: 202 });
    const ids = (await rows()).map(({ property_id }) => property_id && idFromBytes(property_id));
    expect(ids).toEqual([own?.id, ...Array.from({ length: 6 }, () => null)]);
  });

  it('stores events of a test key separately, and marks the answer', async () => {
    const sandbox = await report([EVENT], caller.test);
    expect(sandbox).toMatchObject({
      status: 202,
      body: { accepted: 1, rejected: 0 },
      headers: { 'x-sandbox': 'true' },
    });
    await report([EVENT, EVENT], caller.live);
    expect((await rows()).map(({ sandbox: flag }) => flag)).toEqual([0, 0, 1]);
  });
});

describe('retention', () => {
  it('deletes only expired events, of every account', async () => {
    const { dataSource } = bench.database;
    await dataSource.query('DELETE FROM guard_events');
    const repository = new GuardEventsRepository(dataSource, TEST_CLOCK);
    const other = await bench.newCaller('free-0');
    const event = {
      domain: null,
      ...EVENT,
      integration: null,
      lib_version: null,
      spec_version: null,
      property_key: null,
    };
    const insertAt = async (at: string, count: number): Promise<void> => {
      await setTestClock(dataSource, at);
      for (const { accountId } of [caller, other]) {
        for (const sandbox of [false, true]) {
          await repository.insert(
            { accountId, sandbox },
            Array.from({ length: count }, () => ({ event, propertyId: null })),
          );
        }
      }
    };
    await insertAt('2026-01-01 00:00:00.000', 300);
    await insertAt('2026-01-01 00:00:00.500', 5);
    const day = new Date(Date.UTC(2026, 0, 1 + EVENTS_KEPT_DAYS)).toISOString().slice(0, 10);
    await setTestClock(dataSource, `${day} 00:00:00.000`);
    await purge(repository);
    const count = async () =>
      Number((await dataSource.query<{ n: string }[]>('SELECT COUNT(*) AS n FROM guard_events'))[0]?.n);
    expect(await count()).toBe(4 * 305);
    await setTestClock(dataSource, `${day} 00:00:00.100`);
    await purge(repository);
    expect(await count()).toBe(4 * 5);
  });
});
