import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ask, BillingBench, type Answered, type Caller } from './billing-api.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi({ LOG_LEVEL: 'trace', SMTP_ALLOW_PRIVATE_NETWORKS: 'false' });
});
afterAll(() => bench?.close());
beforeEach(async () => {
  caller = await bench.newCaller('free-0', { purchased: 5 });
});

const URL = 'https://hooks.example.com/mailvet';
const create = (body: unknown, key = caller.live): Promise<Answered> =>
  ask(api, key, { url: '/v1/webhooks', payload: JSON.stringify(body) });
const list = async (key = caller.live) =>
  (await ask(api, key, { method: 'GET', url: '/v1/webhooks' })).body as unknown as { webhooks: { id: string }[] };
const remove = (id: string, key = caller.live) =>
  ask(api, key, { method: 'DELETE', url: `/v1/webhooks/${id}`, payload: null });
const audit = () =>
  bench.database.dataSource.query<{ actor: string; action: string }[]>(
    'SELECT actor, action FROM audit_log WHERE account_id = ? ORDER BY id',
    [idToBytes(caller.accountId)],
  );

describe('/v1/webhooks', () => {
  it('makes an endpoint, shows its secret once, lists it without, and deletes it', async () => {
    const made = await create({ url: URL, events: ['credits.low', 'job.completed'], low: 100 });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      id: expect.any(String) as string,
      url: URL,
      events: ['job.completed', 'credits.low'],
      mode: 'live',
      low: 100,
      disabled_at: null,
      created_at: expect.stringMatching(/Z$/) as string,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    });
    const { secret, ...shown } = made.body as { secret: string; id: string };
    expect(await list()).toEqual({ webhooks: [shown] });
    const rows = await bench.database.dataSource.query<{ secret: Buffer }[]>('SELECT secret FROM webhook_endpoints');
    expect(rows.some((row) => row.secret.includes(secret))).toBe(false);
    expect(bench.logged.join('\n')).not.toContain(secret);
    expect((await remove(shown.id.toUpperCase())).status).toBe(204);
    expect(await list()).toEqual({ webhooks: [] });
    expect((await remove(shown.id)).status).toBe(404);
    const key = expect.stringMatching(/^key:/) as string;
    expect((await audit()).filter(({ action }) => action.startsWith('webhook'))).toEqual([
      { actor: key, action: 'webhook.create' },
      { actor: key, action: 'webhook.delete' },
    ]);
  });

  it('keeps the endpoints of test keys and live keys, and those of other accounts, apart', async () => {
    const test = await create({ url: URL, events: ['job.completed'] }, caller.test);
    expect(test.body).toMatchObject({ mode: 'test' });
    expect(await list()).toEqual({ webhooks: [] });
    expect((await list(caller.test)).webhooks).toHaveLength(1);
    const { id } = test.body as { id: string };
    const other = await bench.newCaller('free-0', { purchased: 5 });
    expect((await remove(id)).status).toBe(404);
    expect((await remove(id, other.test)).status).toBe(404);
    expect((await remove('nonsense')).status).toBe(404);
    expect((await list(caller.test)).webhooks).toHaveLength(1);
  });

  it.each([
    [{ url: 'http://hooks.example.com/', events: ['job.completed'] }, 'url must begin with https://'],
    [{ url: 'https://a:b@hooks.example.com/', events: ['job.completed'] }, 'url must not contain credentials'],
    [{ url: 'https://10.1.2.3/', events: ['job.completed'] }, 'url must have a public address'],
    [{ url: URL, events: [] }, 'events must have at least 1 entry'],
    [{ url: URL, events: ['job.started'] }, 'events[0] must be one of'],
    [{ url: URL, events: ['credits.low'] }, 'low must be sent with the event credits.low'],
    [{ url: URL, events: ['job.completed'], low: 5 }, 'low must be sent with the event credits.low'],
    [{ url: URL, events: ['job.completed'], mode: 'test' }, 'mode must be live'],
    [{ events: ['job.completed'] }, 'url is required'],
  ])('refuses %j', async (body, message) => {
    const refused = await create(body);
    expect([refused.status, refused.body]).toEqual([
      422,
      { error: { code: 'validation_failed', message: expect.stringContaining(message) as string } },
    ]);
    expect(await list()).toEqual({ webhooks: [] });
  });

  it('takes ten endpoints of an account, however many come at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 13 }, (_, i) =>
        create({ url: `${URL}/${i}`, events: ['job.completed'] }, i % 2 === 0 ? caller.live : caller.test),
      ),
    );
    expect(made.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(10).fill(200),
      429,
      429,
      429,
    ]);
    const full = made.find(({ status }) => status !== 200)!;
    expect(full.body).toMatchObject({ error: { code: 'quota_exceeded' } });
  });
});
