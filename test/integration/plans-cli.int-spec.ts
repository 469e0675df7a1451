import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitUntil } from '../support/wait-until.js';
import { fault, json, shown } from '../support/cli.js';
import { ask, BillingBench, single } from './billing-api.js';
import { addresses, submitJob } from './jobs-api.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let other: NestFastifyApplication;
const given = process.env['DATABASE_URL'];
beforeAll(async () => {
  bench = await BillingBench.start();
  [api, other] = [await bench.startApi(), await bench.startApi()];
  process.env['DATABASE_URL'] = bench.database.url;
});
afterAll(async () => {
  process.env['DATABASE_URL'] = given;
  await bench.close();
});

interface PlanJson {
  readonly name: string;
  readonly [figure: string]: number | string | null;
}
const acts = (name: string) =>
  bench.database.dataSource.query<{ actor: string; action: string; details: unknown }[]>(
    'SELECT actor, action, details FROM audit_log WHERE subject = ? ORDER BY id',
    [name],
  );
const detailsOf = (details: unknown): unknown => (typeof details === 'string' ? JSON.parse(details) : details);

/** Five seconds are promised; the rest is for a busy machine. */
async function soon(check: () => Promise<boolean>): Promise<void> {
  expect(await waitUntil(check, { ms: 30_000 })).toBe(true);
}

describe('plan list', () => {
  it('shows every plan and its limits, the smallest rate first', async () => {
    const plans = await json<PlanJson[]>('plan', 'list');
    expect(plans.find(({ name }) => name === 'free')).toEqual({
      name: 'free',
      requests_per_minute: 60,
      free_verifies_per_month: 100,
      guard_decisions_per_month: 1000,
      jobs_kept: 20,
      addresses_kept: 50_000,
      jobs_processing: 2,
      crawls_per_day: 500,
    });
    expect(await shown('plan', 'list')).toMatch(/^PLAN .*\nfree +60 +100 +1000 +20 +50000 +2 +500\nstarter /);
  });
});

describe('plan create', () => {
  it('creates a plan, with the limits of free by default', async () => {
    const made = await json<PlanJson>('plan', 'create', 'tiny', '--rate', '7', '--jobs', '0', '--free', 'unlimited');
    expect(made).toEqual({
      name: 'tiny',
      requests_per_minute: 7,
      free_verifies_per_month: null,
      guard_decisions_per_month: 1000,
      jobs_kept: 0,
      addresses_kept: 50_000,
      jobs_processing: 2,
      crawls_per_day: 500,
    });
    const [act] = await acts('tiny');
    expect(act).toMatchObject({ actor: expect.stringMatching(/^operator:/), action: 'plan.create' });
    expect(detailsOf(act!.details)).toMatchObject({ jobs_kept: 0, free_verifies_per_month: null });
    expect(await json('account', 'create', '--name', 'Acme', '--plan', 'tiny')).toMatchObject({
      ...made,
      name: 'Acme',
      plan: 'tiny',
      free_verifies_remaining: null,
    });
  });

  it('explains faults', async () => {
    await json('plan', 'create', 'twice', '--rate', '1');
    expect(await fault('plan', 'create', 'twice', '--rate', '1')).toMatch(/a plan has this name.*plan set twice/);
    expect(await fault('plan', 'create', 'Big!', '--rate', '1')).toMatch(/lower-case letters/);
    expect(await fault('plan', 'create', 'slow')).toMatch(/--rate/);
    for (const rate of ['0', 'unlimited', '1000001', '-1', '1.5']) {
      expect(await fault('plan', 'create', 'slow', `--rate=${rate}`)).toMatch(/whole number from 1 to 1000000/);
    }
    for (const jobs of ['-1', 'none', '1000000001', '1e3', '']) {
      expect(await fault('plan', 'create', 'slow', '--rate', '1', `--jobs=${jobs}`)).toMatch(/or unlimited/);
    }
  });
});

describe('plan set', () => {
  it('changes the given limits, and audits the old values', async () => {
    await json('plan', 'create', 'growing', '--rate', '10');
    const set = ['plan', 'set', 'growing', '--rate', '20', '--kept', 'unlimited', '--crawls', '500'];
    expect(await json(...set)).toMatchObject({ requests_per_minute: 20, addresses_kept: null, crawls_per_day: 500 });
    expect(await json(...set)).toMatchObject({ jobs_kept: 20 });
    const written = await acts('growing');
    expect(written.map(({ action }) => action)).toEqual(['plan.create', 'plan.set']);
    expect(detailsOf(written[1]!.details)).toEqual({
      requests_per_minute_before: 10,
      requests_per_minute: 20,
      addresses_kept_before: 50_000,
      addresses_kept: null,
    });
  });

  it('explains faults', async () => {
    expect(await fault('plan', 'set', 'nothing', '--rate', '1')).toMatch(/no plan has this name. There are: .*free/);
    expect(await fault('plan', 'set', 'free')).toMatch(
      /--rate, --free, --guard, --jobs, --kept, --processing, --crawls/,
    );
  });

  it('takes effect in every process within 5 seconds, and changes the limit, not the count', async () => {
    await json('plan', 'create', 'moving', '--rate', '60000', '--free', '3', '--guard', '7', '--jobs', '1');
    const caller = await bench.newCaller('moving');
    const credits = async (app: NestFastifyApplication) => {
      const asked = { method: 'GET', url: '/v1/credits', payload: null, mayLackBalance: true } as const;
      const answer = await ask(app, caller.live, asked);
      const { guard } = answer.body as { guard?: { limit: number | null } };
      return { ...answer.body, guard, header: answer.headers['x-verify-free-remaining'] };
    };
    expect(await ask(api, caller.live, { payload: single('info@company.example') })).toMatchObject({ status: 200 });
    expect((await submitJob(api, caller.test, addresses(1))).status).toBe(202);
    expect((await submitJob(api, caller.test, addresses(1))).status).toBe(429);
    expect(await credits(other)).toMatchObject({ free_verifies: { limit: 3, remaining: 2 }, header: '2' });

    await json('plan', 'set', 'moving', '--jobs', '2', '--guard', 'unlimited');
    await soon(async () => (await credits(other)).guard?.limit === null);
    expect((await submitJob(other, caller.test, addresses(1))).status).toBe(202);
    expect((await submitJob(other, caller.test, addresses(1))).status).toBe(429);

    await json('plan', 'set', 'moving', '--free', 'unlimited');
    for (const app of [api, other]) {
      await soon(async () => (await credits(app)).header === undefined);
      expect(await credits(app)).toMatchObject({
        free_verifies: { limit: null, remaining: null, resets_at: expect.any(String) },
        guard: { limit: null, remaining: null, resets_at: expect.any(String) },
      });
    }
    const payload = single('info@company.example');
    const guard = { payload, headers: { 'x-guard-integration': 'form/1' }, mayLackBalance: true };
    const answer = await ask(api, caller.live, guard);
    expect(answer.body).toMatchObject({ degraded: false });
    expect(answer.headers).toMatchObject({ 'x-credits-used': '0', 'x-credits-remaining': '0' });
    expect(answer.headers).not.toHaveProperty('x-verify-free-remaining');

    await json('plan', 'set', 'moving', '--free', '5');
    await soon(async () => (await credits(api)).header !== undefined);
    expect(await credits(api)).toMatchObject({ free_verifies: { limit: 5, remaining: 3 } });
  });
});
