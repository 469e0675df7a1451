import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { MemberRole } from '../../src/console/people/role.js';
import { ResultStreams } from '../../src/jobs/result-streams.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { UsageCountsRepository } from '../../src/billing/usage/usage-counts.repository.js';
import { GuardEventsRepository } from '../../src/guard/events/guard-events.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { domainWithHost } from '../lab/world.js';
import { entriesOf, mismatches } from './billing-support.js';
import { askConsole, ConsoleBench, type ConsoleAsk, type SignedInUser } from './console-bench.js';

let bench: ConsoleBench;
let lab: Laboratory;
let app: NestFastifyApplication;
let account: string;
let other: string;
const users: Partial<Record<MemberRole | 'stranger', SignedInUser>> = {};

beforeAll(async () => {
  [bench, lab] = await Promise.all([ConsoleBench.start(), startLaboratory(domainWithHost('company.example', {}))]);
  await bench.database.dataSource.query(
    `INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month, crawls_per_day)
      VALUES ('test', 60000, 0, 1000, 2)`,
  );
  app = await bench.startConsole({
    ...laboratoryEnvironment(lab),
  });
  [account, other] = [await bench.makeAccount('Acme', 'test'), await bench.makeAccount('Other', 'test')];
  for (const role of ['viewer', 'member', 'developer', 'owner'] as const) {
    users[role] = await bench.makeUser({ accounts: { [account]: role } });
  }
  users.stranger = await bench.makeUser({ accounts: { [other]: 'owner' } });
  for (const each of [account, other]) await grant(each, 100);
});
afterAll(async () => {
  await bench?.close();
  await lab?.stop();
});

async function grant(accountId: string, credits: number): Promise<void> {
  const reference = `invoice:${newId()}`;
  await new LedgerRepository(bench.database.dataSource).grant(
    { accountId, credits, kind: 'purchased', reference },
    'test',
  );
}

const as = (who: MemberRole | 'stranger', path: string, asked: ConsoleAsk = {}) =>
  askConsole(app, `accounts/${account}/${path}`, { ...asked, token: users[who]!.token });

describe('keys', () => {
  const made = async (name: string) =>
    (await as('developer', 'keys', { method: 'POST', body: { name, mode: 'live' } })).body as Record<string, string>;

  it('are made by developers, shown once, and tell who made them', async () => {
    expect(await as('member', 'keys', { method: 'POST', body: { name: 'shop', mode: 'live' } })).toMatchObject({
      status: 403,
    });
    const answer = await as('developer', 'keys', { method: 'POST', body: { name: ' shop ', mode: 'live' } });
    expect(answer.status).toBe(201);
    const { key, ...row } = answer.body as Record<string, string>;
    expect(key).toMatch(/^mv_live_/);
    const listed = await as('viewer', 'keys');
    expect(listed.text).not.toContain(key);
    const found = (listed.body as unknown as { keys: Record<string, unknown>[] }).keys.find(
      ({ id }) => id === row['id'],
    );
    expect(found).toEqual(row);
    expect(found).toMatchObject({
      name: 'shop',
      status: 'active',
      last_four: key!.slice(-4),
      created_by: users.developer!.email.split('@', 1)[0],
    });
  });

  it('are rotated with a grace period, and revoked', async () => {
    const { id } = await made('worker');
    const rotated = await as('developer', `keys/${id}/rotate`, { method: 'POST', body: { grace_seconds: 3600 } });
    expect(rotated.status).toBe(200);
    const successor = rotated.body as Record<string, string>;
    expect(successor).toMatchObject({
      name: 'worker',
      status: 'active',
      key: expect.stringMatching(/^mv_live_/) as string,
    });
    const inAnHour = Date.parse(successor['old_expires_at']!) - Date.now();
    expect(Math.abs(inAnHour - 3_600_000)).toBeLessThan(60_000);
    const row = async (key: string) =>
      ((await as('viewer', 'keys')).body as unknown as { keys: Record<string, unknown>[] }).keys.find(
        (each) => each['id'] === key,
      );
    expect(await row(id!)).toMatchObject({ status: 'expiring', replaced_by: successor['id'] });
    expect(await row(successor['id']!)).toMatchObject({ created_by: users.developer!.email.split('@', 1)[0] });
    const again = await as('developer', `keys/${id}/rotate`, { method: 'POST', body: { grace_seconds: 0 } });
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    const revoked = await as('developer', `keys/${successor['id']}/revoke`, { method: 'POST' });
    expect(revoked).toMatchObject({ status: 200, body: { status: 'revoked' } });
    expect(await as('member', `keys/${id}/revoke`, { method: 'POST' })).toMatchObject({ status: 403 });
  });

  it("of other accounts, and the console's own, are none that exist", async () => {
    const { id } = await made('mine');
    const theirs = (path: string, body?: unknown) =>
      askConsole(app, `accounts/${other}/keys/${id}/${path}`, { method: 'POST', body, token: users.stranger!.token });
    expect(await theirs('revoke')).toMatchObject({ status: 404 });
    expect(await theirs('rotate', { grace_seconds: 0 })).toMatchObject({ status: 404 });
    expect(await as('stranger', 'keys')).toMatchObject({ status: 404 });
    await as('member', 'verify', { method: 'POST', body: { email: 'nobody', mode: 'quick' } });
    const [hidden] = await bench.database.dataSource.query<{ id: string }[]>(
      'SELECT LOWER(INSERT(INSERT(INSERT(INSERT(HEX(id), 9, 0, "-"), 14, 0, "-"), 19, 0, "-"), 24, 0, "-")) AS id FROM api_keys WHERE hidden = 1 AND account_id = ?',
      [idToBytes(account)],
    );
    expect(hidden).toBeDefined();
    expect((await as('viewer', 'keys')).text).not.toContain(hidden!.id);
    expect(await as('developer', `keys/${hidden!.id}/revoke`, { method: 'POST' })).toMatchObject({ status: 404 });
  });
});

describe('what members add to an account', () => {
  const full = (what: string) => ({
    status: 429,
    body: { error: { code: 'quota_exceeded', message: expect.stringContaining(what) as string } },
  });
  const asked = async (id: string, token: string, path: string, body: unknown) =>
    askConsole(app, `accounts/${id}/${path}`, { method: 'POST', body, token });
  /** Rows of the account that stand for so many additions. @param row values after the two ids */
  async function fill(id: string, count: number, into: string, row: string): Promise<void> {
    const rows = Array.from({ length: count }, () => `(?, ?, ${row}, UTC_TIMESTAMP(3))`);
    const ids = rows.flatMap(() => [idToBytes(newId()), idToBytes(id)]);
    await bench.database.dataSource.query(`INSERT INTO ${into} VALUES ${rows.join(', ')}`, ids);
  }

  it('are at most 100 keys, so that the rate of the plan stays one, however many ask at once', async () => {
    const mine = await bench.makeAccount('Keys');
    const { token } = await bench.makeUser({ accounts: { [mine]: 'developer' } });
    const make = () => asked(mine, token, 'keys', { name: 'more', mode: 'live' });
    const { id } = (await make()).body as { id: string };
    const columns = 'api_keys (id, account_id, mode, last_four, sha256, created_at)';
    await fill(mine, 97, columns, "'live', 'abcd', RANDOM_BYTES(32)");
    const statuses = (await Promise.all(Array.from({ length: 6 }, make))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 201, 429, 429, 429, 429]);
    expect(await make()).toMatchObject(full('keys'));
    // One that is revoked keeps its place for a day, or rows would have no end.
    await asked(mine, token, `keys/${id}/revoke`, {});
    expect(await make()).toMatchObject(full('keys'));
    await bench.database.dataSource.query(
      'UPDATE api_keys SET created_at = UTC_TIMESTAMP(3) - INTERVAL 25 HOUR WHERE account_id = ?',
      [idToBytes(mine)],
    );
    const made = await make();
    expect(made.status).toBe(201);
    // A key that was seen by somebody is replaced all the same.
    const successor = await asked(mine, token, `keys/${(made.body as { id: string }).id}/rotate`, { grace_seconds: 0 });
    expect(successor.status).toBe(200);
  });

  it('are at most 1,000 properties', async () => {
    const mine = await bench.makeAccount('Sites');
    const { token } = await bench.makeUser({ accounts: { [mine]: 'developer' } });
    await fill(mine, 999, 'properties (id, account_id, property_key, name, created_at)', "UUID(), 'Shop'");
    const make = () => asked(mine, token, 'properties', { name: 'Shop' });
    const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 429, 429]);
    expect(await make()).toMatchObject(full('1,000 properties'));
  });

  it('are at most 500 members', async () => {
    const mine = await bench.makeAccount('Crowd');
    const { token } = await bench.makeUser({ accounts: { [mine]: 'owner' } });
    const others = Array.from({ length: 498 }, () => idToBytes(newId()));
    await bench.database.dataSource.query('INSERT INTO users (id, email, name, created_at) VALUES ?', [
      others.map((id) => [id, `${id.toString('hex')}@example.com`, 'A', new Date()]),
    ]);
    await bench.database.dataSource.query('INSERT INTO memberships (user_id, account_id, role, created_at) VALUES ?', [
      others.map((id) => [id, idToBytes(mine), 'viewer', new Date()]),
    ]);
    const invite = () => asked(mine, token, 'members', { email: `${newId()}@example.com`, role: 'viewer' });
    expect((await invite()).status).toBe(201);
    expect(await invite()).toMatchObject(full('500 members'));
  });
});

describe('one address', () => {
  it('is verified and charged like any call, with the reason in words', async () => {
    const before = (await entriesOf(bench.database.dataSource, account)).length;
    expect(await as('viewer', 'verify', { method: 'POST', body: { email: 'info@company.example' } })).toMatchObject({
      status: 403,
    });
    const answer = await as('member', 'verify', { method: 'POST', body: { email: 'info@company.example' } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        result: { email: 'info@company.example', result: 'role', reason: 'role_address' },
        explanation: { sentence: expect.stringContaining('shared mailbox') as string },
        charged: { credits: 1, free_verifies: 0 },
        balance: 99,
      },
    });
    expect(answer.headers['x-credits-used']).toBe('1');
    const entries = await entriesOf(bench.database.dataSource, account);
    expect(entries.length).toBe(before + 1);
    expect(entries.at(-1)!.reference).toMatch(/^single:/);
    expect(await mismatches(bench.database.dataSource, account)).toEqual([]);
  });

  it('costs nothing where it is none, and once for a repeated key', async () => {
    const none = await as('member', 'verify', { method: 'POST', body: { email: 'nobody' } });
    expect(none.body).toMatchObject({
      result: { reason: 'bad_syntax' },
      charged: { credits: 0, free_verifies: 0 },
      balance: 99,
    });
    const body = { email: 'info@company.example', mode: 'quick' };
    const headers = { 'idempotency-key': newId() };
    const [first, repeat] = [
      await as('member', 'verify', { method: 'POST', body: { ...body, mode: 'standard' }, headers }),
      await as('member', 'verify', { method: 'POST', body: { ...body, mode: 'standard' }, headers }),
    ];
    expect(first.body).toMatchObject({ charged: { credits: 1 }, balance: 98 });
    expect(repeat.headers['idempotency-replayed']).toBe('true');
    expect(repeat.body).toMatchObject({ result: { reason: 'role_address' }, charged: { credits: 0 }, balance: 98 });
  });

  it('is refused without credits', async () => {
    const poor = await bench.makeAccount('Poor', 'test');
    const { token } = await bench.makeUser({ accounts: { [poor]: 'member' } });
    const body = { email: 'info@company.example' };
    const answer = await askConsole(app, `accounts/${poor}/verify`, { method: 'POST', body, token });
    expect(answer).toMatchObject({ status: 402, body: { error: { code: 'insufficient_credits' } } });
    expect(answer.headers['x-credits-required']).toBe('1');
  });
});

describe('the overview', () => {
  it('adds up the ledger by day, key and endpoint, and shows the counted verdicts', async () => {
    const { dataSource } = bench.database;
    const mine = await bench.makeAccount('Counted', 'test');
    const { token } = await bench.makeUser({ accounts: { [mine]: 'viewer' } });
    await grant(mine, 50);
    const keyId = newId();
    const reference = `job:${newId()}`;
    await dataSource.query(
      `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted, free_verifies,
        month, created_at) VALUES (?, 'charge', ?, ?, 10, 1, -10, 0, 0, 202611, UTC_TIMESTAMP(3)),
          (?, 'refund', ?, ?, 1, 1, 1, 0, 0, 202611, UTC_TIMESTAMP(3))`,
      [idToBytes(mine), reference, idToBytes(keyId), idToBytes(mine), `${reference}:3`, idToBytes(keyId)],
    );
    await dataSource.query('UPDATE account_balances SET purchased = 41 WHERE account_id = ?', [idToBytes(mine)]);
    const verdicts = { valid: 6, invalid: 1, catch_all: 1, disposable: 0, role: 0, unknown: 2 };
    await new UsageCountsRepository(dataSource).add([{ accountId: mine, keyId, endpoint: 'job', verdicts }]);
    const answer = await askConsole(app, `accounts/${mine}/overview?days=7`, { token });
    expect(answer.status).toBe(200);
    const { days, ...body } = answer.body as unknown as { days: Record<string, unknown>[] };
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toMatchObject({ verdicts, credits_used: 9, free_verifies_used: 0, addresses: 9 });
    expect(days[0]).toMatchObject({ credits_used: 0, addresses: 0 });
    expect(body).toMatchObject({
      account: { id: mine, name: 'Counted', plan: 'test', suspended: false },
      credits: { total: 41, purchased: 41, gifted: 0 },
      free_verifies: { limit: 0, used: 0, remaining: 0 },
      rate_limit: { per_minute: 60000 },
      guard: { limit: 1000, used: 0, remaining: 1000 },
      totals: { addresses: 9, credits_used: 9, refunded_credits: 1, deliverable_share: 0.6 },
      by_key: [{ key_id: keyId, name: null, addresses: 9, credits: 9 }],
      by_endpoint: [{ endpoint: 'job', addresses: 9, credits: 9 }],
    });
    expect(await askConsole(app, `accounts/${mine}/overview?days=8`, { token })).toMatchObject({ status: 422 });
    expect(await as('stranger', 'overview')).toMatchObject({ status: 404 });
  });
});

describe('the statement', () => {
  it('pages through the ledger, filters it, and comes as CSV that runs no formula', async () => {
    const mine = await bench.makeAccount('Books', 'test');
    const { token } = await bench.makeUser({ accounts: { [mine]: 'viewer' } });
    for (const credits of [1, 2, 3]) await grant(mine, credits);
    await new LedgerRepository(bench.database.dataSource).grant(
      { accountId: mine, credits: 4, kind: 'gifted', reference: '=HYPERLINK("x")' },
      'test',
    );
    const read = async (query: string) =>
      (await askConsole(app, `accounts/${mine}/ledger${query}`, { token })).body as never;
    const first = (await read('?limit=3')) as { entries: Record<string, unknown>[]; next: string; balance: number };
    expect(first.entries.map((entry) => entry['balance_after'])).toEqual([10, 6, 3]);
    expect(first.entries[0]).toMatchObject({ kind: 'grant', endpoint: null, credits: { total: 4, gifted: 4 } });
    expect(first.balance).toBe(10);
    expect(await read(`?limit=3&cursor=${first.next}`)).toMatchObject({ entries: [{ balance_after: 1 }], next: null });
    expect(await read('?kind=charge')).toEqual({ entries: [], next: null, balance: 10 });
    const csv = await askConsole(app, `accounts/${mine}/ledger.csv`, { token });
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"")"`);
    expect(await askConsole(app, `accounts/${mine}/allowance`, { token })).toMatchObject({
      status: 200,
      body: { months: expect.any(Array) as unknown[] },
    });
    const status = async (query: string) =>
      (await askConsole(app, `accounts/${mine}/ledger?${query}`, { token })).status;
    expect(await Promise.all(['from=2026-W48', 'to=20261128', 'from=9999-12-31'].map(status))).toEqual([422, 422, 422]);
    const csvOf = (query: string) => askConsole(app, `accounts/${mine}/ledger.csv?${query}`, { token });
    expect(await csvOf('from=2026-333')).toMatchObject({ status: 422 });
    expect((await csvOf('to=2020-01-01T00:00')).text.trimEnd().split('\r\n')).toHaveLength(1);
    expect(await as('stranger', 'ledger')).toMatchObject({ status: 404 });
    expect(await as('stranger', 'ledger.csv')).toMatchObject({ status: 404 });
  });

  it('is sent as CSV to a few of an account at once', async () => {
    const mine = await bench.makeAccount('Readers');
    const { token } = await bench.makeUser({ accounts: { [mine]: 'viewer' } });
    const slow = Array.from({ length: 10 }, () => new ServerResponse(new IncomingMessage(new Socket())));
    for (const response of slow) app.get(ResultStreams).begin(mine, response);
    const read = () => askConsole(app, `accounts/${mine}/ledger.csv`, { token });
    expect(await read()).toMatchObject({ status: 429, body: { error: { code: 'quota_exceeded' } } });
    for (const response of slow) response.emit('close');
    // Each frees its place.
    for (let i = 0; i < 12; i++) expect((await read()).status).toBe(200);
  });
});

describe('a domain', () => {
  it('is nothing until it is crawled, and crawled within the plan', async () => {
    expect(await as('viewer', 'domains/Fresh.Example')).toMatchObject({
      status: 200,
      body: { domain: null, score_parts: [], crawled_at: null, crawling: false, accept_all: null },
    });
    expect(await as('viewer', 'domains/fresh.example/crawl', { method: 'POST' })).toMatchObject({ status: 403 });
    const crawl = () => as('member', 'domains/fresh.example/crawl', { method: 'POST' });
    const crawling = { status: 202, body: { crawling: true } };
    expect(await Promise.all([crawl(), crawl(), crawl()])).toMatchObject([crawling, crawling, crawling]);
    expect(await as('member', 'domains/another.example/crawl', { method: 'POST' })).toMatchObject({
      status: 429,
      body: { error: { code: 'quota_exceeded' } },
    });
    const { dataSource } = bench.database;
    const acts = await dataSource.query<{ actor: string; subject: string; account_id: Buffer }[]>(
      "SELECT actor, subject, account_id FROM audit_log WHERE action = 'domain.crawl'",
    );
    expect(acts).toMatchObject([{ actor: expect.stringMatching(/^user:/), subject: 'fresh.example' }]);
    expect(await as('viewer', `domains/${`${'a'.repeat(60)}.`.repeat(3)}example`)).toMatchObject({ status: 200 });
    expect(await as('viewer', 'domains/no%20domain')).toMatchObject({ status: 422 });
    expect(await as('viewer', `domains/${'a'.repeat(300)}.example`)).toMatchObject({ status: 422 });
    expect(await as('stranger', 'domains/company.example')).toMatchObject({ status: 404 });
  });
});

describe('guard', () => {
  it('shows what was reported by day and property', async () => {
    expect(await as('member', 'properties', { method: 'POST', body: { name: 'Shop' } })).toMatchObject({ status: 403 });
    const made = await as('developer', 'properties', { method: 'POST', body: { name: 'Shop' } });
    expect(made.status).toBe(201);
    const { id, property_key: key } = made.body as Record<string, string>;
    expect((await as('viewer', 'properties')).body).toMatchObject({
      properties: [{ id, property_key: key, name: 'Shop' }],
    });
    const event = {
      domain: 'example.com',
      verdict: 'valid',
      action: 'allow',
      source: 'remote',
      degraded: false,
      reasons: [],
    };
    await new GuardEventsRepository(bench.database.dataSource).insert({ accountId: account, sandbox: false }, [
      { event: event as never, propertyId: id! },
      { event: { ...event, verdict: 'odd', degraded: true } as never, propertyId: null },
    ]);
    const page = await as('viewer', 'guard?days=7');
    expect(page.body).toMatchObject({
      quota: { limit: 1000, used: 0 },
      totals: {
        total: 2,
        verdicts: { valid: 1, other: 1 },
        actions: { allow: 2 },
        sources: { remote: 2 },
        degraded: 1,
      },
      top_domains: [{ domain: 'example.com', count: 2 }],
    });
    expect((await as('viewer', `guard?days=7&property=${key}`)).body).toMatchObject({
      totals: { total: 1, degraded: 0 },
    });
    const theirs = await askConsole(app, `accounts/${other}/guard?property=${key}`, { token: users.stranger!.token });
    expect(theirs).toMatchObject({ status: 404 });
    expect(await as('stranger', 'guard')).toMatchObject({ status: 404 });
  });
});
