import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import type {
  NewWebhookEndpoint,
  OpenedWebhookDelivery,
  WebhookDeliveryPage,
  WebhookEndpointList,
} from '../../src/console/webhooks/webhooks.response.js';
import { askConsole, ConsoleBench, type ConsoleAsk, type SignedInUser } from './console-bench.js';

let bench: ConsoleBench;
let app: NestFastifyApplication;
let account: string;
let other: string;
let developer: SignedInUser;
let stranger: SignedInUser;
beforeAll(async () => {
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
  [account, other] = [await bench.makeAccount(), await bench.makeAccount('Other')];
  developer = await bench.makeUser({ accounts: { [account]: 'developer' } });
  stranger = await bench.makeUser({ accounts: { [other]: 'owner' } });
});
afterAll(() => bench?.close());

const ask = (path: string, asked: ConsoleAsk = {}) =>
  askConsole(app, `accounts/${account}/webhooks${path}`, { token: developer.token, ...asked });
const post = (path: string, body: unknown = {}) => ask(path, { method: 'POST', body });
const made = async (name: string): Promise<NewWebhookEndpoint> =>
  (await post('', { url: `https://${name}.example.com/hook`, events: ['job.completed'], mode: 'live' }))
    .body as NewWebhookEndpoint;
const listed = async () => ((await ask('')).body as WebhookEndpointList).webhooks;

describe('webhooks in the console', () => {
  it('are made with a secret that no list has, and refused with the rule that they break', async () => {
    const { secret, ...endpoint } = await made('shop');
    expect(secret).toMatch(/^whsec_/);
    expect(endpoint).toMatchObject({ mode: 'live', low: null, disabled_at: null, disabled_by: null });
    expect(await listed()).toEqual([endpoint]);
    expect(await post('', { url: 'http://shop.example.com', events: ['job.completed'], mode: 'live' })).toMatchObject({
      status: 422,
    });
    expect(await post('', { url: 'https://shop.example.com', events: ['job.completed'] })).toMatchObject({
      status: 422,
    });
  });

  it('get another secret, are switched off and on, and removed, each with a row in the audit log', async () => {
    const { id, secret } = await made('crm');
    const rotated = (await post(`/${id}/rotate`)).body as NewWebhookEndpoint;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    expect(await post(`/${id}/disable`)).toMatchObject({ status: 200, body: { disabled_by: 'person' } });
    expect(await post(`/${id}/test`)).toMatchObject({ status: 409 });
    expect(await post(`/${id}/enable`)).toMatchObject({ status: 200, body: { disabled_at: null } });
    const { delivery_id: delivery } = (await post(`/${id}/test`)).body as { delivery_id: string };
    expect(await post(`/${id}/deliveries/${delivery}/resend`)).toMatchObject({ status: 202 });
    expect(await ask(`/${id}`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect((await listed()).map((endpoint) => endpoint.id)).not.toContain(id);
    const acts = await bench.database.dataSource.query<{ action: string; actor: string }[]>(
      'SELECT action, actor FROM audit_log WHERE subject IN (?, ?) ORDER BY id',
      [id, delivery],
    );
    const actions = ['create', 'rotate', 'disable', 'enable', 'test', 'resend', 'delete'];
    expect(acts.map(({ action }) => action)).toEqual(actions.map((act) => `webhook.${act}`));
    expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set([`user:${developer.id}`]));
  });

  it('show what was sent only when a delivery is opened, and only under its own endpoint', async () => {
    const [one, two] = [await made('one'), await made('two')];
    const { delivery_id: id } = (await post(`/${one.id}/test`)).body as { delivery_id: string };
    const page = (await ask(`/${one.id}/deliveries`)).body as WebhookDeliveryPage;
    expect(page).toMatchObject({ deliveries: [{ id, type: 'webhook.test', state: 'due', attempts: 0 }], next: null });
    expect(page.deliveries[0]).not.toHaveProperty('body');
    const opened = (await ask(`/${one.id}/deliveries/${id}`)).body as OpenedWebhookDelivery;
    expect(JSON.parse(opened.body!)).toMatchObject({ type: 'webhook.test' });
    expect(await post(`/${one.id}/deliveries/${id}/resend`)).toMatchObject({ status: 202, body: { id } });
    expect(await ask(`/${two.id}/deliveries/${id}`)).toMatchObject({ status: 404 });
    expect(await post(`/${two.id}/deliveries/${id}/resend`)).toMatchObject({ status: 404 });
  });

  it('are sent 100 tests a day at most', async () => {
    const { id } = await made('tested');
    const counted = `mailvet:day:{webhook-tests:${account}}`;
    const redis = app.get(Redis);
    await redis.set(counted, '99', 'EX', 1000);
    const statuses = (await Promise.all([1, 2, 3].map(() => post(`/${id}/test`)))).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([202, 429, 429]);
    const late = await post(`/${id}/test`);
    expect(late.body).toMatchObject({ error: { code: 'quota_exceeded' } });
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(900);
    await redis.del(counted);
  });

  it('are not those of another account', async () => {
    const { id } = await made('mine');
    const asStranger = (path: string, method: 'GET' | 'POST' | 'DELETE' = 'GET') =>
      askConsole(app, `accounts/${other}/webhooks${path}`, { method, token: stranger.token });
    expect((await asStranger('')).body).toEqual({ webhooks: [] });
    expect(await asStranger(`/${id}/deliveries`)).toMatchObject({ status: 404 });
    for (const act of ['rotate', 'enable', 'disable', 'test']) {
      expect(await asStranger(`/${id}/${act}`, 'POST')).toMatchObject({ status: 404 });
    }
    expect(await asStranger(`/${id}`, 'DELETE')).toMatchObject({ status: 404 });
  });
});
