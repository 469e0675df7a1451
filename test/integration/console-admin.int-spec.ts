import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { newId } from '../../src/platform/ids/uuid.js';
import { mismatches } from './billing-support.js';
import { askConsole, ConsoleBench, type ConsoleAsk, type SignedInUser } from './console-bench.js';

type Body = Record<string, unknown>;

let bench: ConsoleBench;
let app: NestFastifyApplication;
let operator: SignedInUser;
let owner: SignedInUser;
let account: string;
beforeAll(async () => {
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
  account = await bench.makeAccount('Acme 100%', 'growth');
  operator = await bench.makeUser({ operator: true });
  owner = await bench.makeUser({ accounts: { [account]: 'owner' } });
});
afterAll(() => bench?.close());

const ask = (path: string, asked: ConsoleAsk = {}) =>
  askConsole(app, `admin/${path}`, { token: operator.token, ...asked });
const post = (path: string, body?: unknown) => ask(path, { method: 'POST', body });
const acts = () =>
  bench.database.dataSource.query<{ action: string; actor: string }[]>(
    'SELECT action, actor FROM audit_log ORDER BY id',
  );

describe("the operator's area", () => {
  it('is for operators alone', async () => {
    for (const path of ['accounts', `accounts/${account}`, 'plans', 'queues', 'system']) {
      expect(await ask(path, { token: owner.token })).toMatchObject({ status: 403 });
      expect(await ask(path, { token: null })).toMatchObject({ status: 401 });
    }
    for (const path of ['accounts', `accounts/${account}/suspend`, `accounts/${account}/credits`, 'queues/retry']) {
      expect(await ask(path, { method: 'POST', body: {}, token: owner.token })).toMatchObject({ status: 403 });
    }
  });

  it('finds accounts by a part of their name and by their id', async () => {
    const found = async (query: string) =>
      ((await ask(`accounts?query=${encodeURIComponent(query)}`)).body as unknown as { accounts: Body[] }).accounts;
    expect(await found('100%')).toMatchObject([{ id: account, name: 'Acme 100%', plan: 'growth', suspended: false }]);
    expect(await found(account.toUpperCase())).toMatchObject([{ id: account }]);
    expect(await found('1%0')).toEqual([]);
    expect((await ask('accounts')).body).toMatchObject({ next: null });
    expect(await ask(`accounts/${newId()}`)).toMatchObject({ status: 404 });
  });

  it('makes accounts, moves, suspends and resumes them, and grants credits once, each in the audit log', async () => {
    const made = await post('accounts', { name: 'New', plan: 'free', credits: 5 });
    expect(made).toMatchObject({
      status: 201,
      body: { name: 'New', plan: 'free', balance: { total: 5 }, members: [], keys: 0 },
    });
    const id = String((made.body as Body)['id']);
    expect(await post('accounts', { name: 'New', plan: 'nothing' })).toMatchObject({ status: 422 });
    expect(await post(`accounts/${id}/plan`, { plan: 'scale' })).toMatchObject({
      status: 200,
      body: { plan: 'scale' },
    });
    expect(await post(`accounts/${id}/plan`, { plan: 'nothing' })).toMatchObject({ status: 422 });
    expect(await post(`accounts/${id}/suspend`)).toMatchObject({ body: { suspended: true } });
    expect(await post(`accounts/${id}/resume`)).toMatchObject({ body: { suspended: false } });
    const grant = { credits: 7, kind: 'gifted', reference: 'goodwill 1' };
    for (let i = 0; i < 2; i++) {
      expect(await post(`accounts/${id}/credits`, grant)).toMatchObject({
        status: 200,
        body: { balance: { total: 12, gifted: 7 } },
      });
    }
    expect(await post(`accounts/${id}/credits`, { ...grant, credits: 8 })).toMatchObject({ status: 409 });
    expect(await post(`accounts/${id}/credits`, { ...grant, reference: ' x' })).toMatchObject({ status: 422 });
    expect(await mismatches(bench.database.dataSource, id)).toEqual([]);
    const added = await post(`accounts/${id}/members`, { email: 'New.Owner@example.com', role: 'owner' });
    expect(added).toMatchObject({ status: 201, body: { email: 'new.owner@example.com', known: false } });
    expect(String((added.body as Body)['link'])).toContain('/welcome#token=');
    const mine = (await acts()).filter(({ actor }) => actor === `user:${operator.id}`).map(({ action }) => action);
    expect(mine).toEqual([
      'account.create',
      'credits.grant',
      'account.set-plan',
      'account.suspend',
      'account.resume',
      'credits.grant',
      'member.add',
    ]);
    expect((await ask(`accounts/${account}`)).body).toMatchObject({
      members: [{ user_id: owner.id, role: 'owner', invited: true }],
    });
  });

  it('shows plans, queues and the state of the service', async () => {
    const { plans } = (await ask('plans')).body as unknown as { plans: { name: string; figures: Body }[] };
    expect(plans.map(({ name }) => name)).toContain('growth');
    expect(plans[0]!.figures).toHaveProperty('requests_per_minute');
    const queues = (await ask('queues')).body as unknown as { queues: Body[]; failed: Body[] };
    expect(queues.queues.map(({ name }) => name)).toContain('smtp-probe');
    expect(queues.queues[0]).toMatchObject({
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: 0,
      oldest_waiting_seconds: null,
    });

    expect(await ask('system')).toMatchObject({ status: 200, body: { lists: expect.any(Array) as unknown[] } });
  });

  it('puts failed work back to work', async () => {
    const { dataSource } = bench.database;
    await dataSource.query(
      `INSERT INTO failed_jobs (queue, job_id, why, details, failed_at) VALUES
        ('domain-crawl', 'crawl-1', 'it broke', NULL, UTC_TIMESTAMP(3)), ('maintenance', 'm-1', 'it broke', NULL, UTC_TIMESTAMP(3))`,
    );
    await dataSource.query(
      `INSERT INTO domains (domain, asked_at) VALUES ('crawl-1', UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE asked_at = asked_at`,
    );
    expect((await ask('queues')).body).toMatchObject({
      failed: [{ queue: 'maintenance', job_id: 'm-1', reason: 'it broke' }, { queue: 'domain-crawl' }],
    });
    expect(await post('queues/retry', { queue: 'maintenance', job_id: 'm-1' })).toMatchObject({ status: 409 });
    expect(await post('queues/retry', { queue: 'maintenance', job_id: 'm-2' })).toMatchObject({ status: 404 });
    expect(await post('queues/retry', {})).toMatchObject({ status: 422 });
    expect(await post('queues/retry', { all: true })).toMatchObject({
      status: 200,
      body: { retried: expect.any(Number) as number },
    });
    const [left] = await dataSource.query<{ failed: string }[]>(
      'SELECT COUNT(*) AS failed FROM failed_jobs WHERE job_id = ?',
      ['m-1'],
    );
    expect(Number(left!.failed)).toBe(1);
  });
});
