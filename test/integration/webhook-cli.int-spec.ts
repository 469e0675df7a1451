import { newId } from '../../src/platform/ids/uuid.js';
import { fault, json, shown } from '../support/cli.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookBench } from './webhook-support.js';

let bench: WebhookBench;
let receiver: WebhookReceiver;
const { DATABASE_URL, REDIS_URL, SMTP_ALLOW_PRIVATE_NETWORKS } = process.env;
beforeAll(async () => {
  bench = await WebhookBench.start();
  receiver = await WebhookReceiver.start();
  await bench.startWorker();
  process.env['DATABASE_URL'] = bench.database.url;
  process.env['REDIS_URL'] = bench.redis.url;
});
afterAll(async () => {
  for (const [name, value] of Object.entries({ DATABASE_URL, REDIS_URL, SMTP_ALLOW_PRIVATE_NETWORKS })) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await receiver?.stop();
  await bench?.close();
});

it('makes, tests, lists, rotates, sends again and switches off', async () => {
  const account = await bench.newAccount();
  const create = [
    'webhook',
    'create',
    account,
    '--url',
    receiver.url,
    '--events',
    'job.completed,credits.low',
    '--low',
    '5',
  ];
  expect(await fault(...create)).toContain('url must begin with https://');
  process.env['SMTP_ALLOW_PRIVATE_NETWORKS'] = 'true';
  const { id, secret } = await json<{ id: string; secret: string }>(...create);
  expect(secret).toMatch(/^whsec_/);
  expect(await shown('webhook', 'list', account)).not.toContain(secret);
  expect(await json('webhook', 'list', account)).toMatchObject([
    { id, mode: 'live', url: receiver.url, events: ['job.completed', 'credits.low'], low: 5, disabled_at: null },
  ]);
  const sent = await json<{ id: string }>('webhook', 'test', id);
  const deliveries = () => json<{ id: string; state: string }[]>('webhook', 'deliveries', id);
  expect(await waitUntil(async () => (await deliveries())[0]?.state === 'delivered', { ms: 30_000 })).toBe(true);
  expect(await deliveries()).toMatchObject([{ id: sent.id, type: 'webhook.test', attempts: 1, status: 204 }]);
  expect(await json('webhook', 'resend', sent.id)).toEqual({ id: sent.id });
  expect(await waitUntil(() => Promise.resolve(receiver.received.length === 2), { ms: 30_000 })).toBe(true);
  const rotated = await json<{ secret: string }>('webhook', 'rotate', id);
  expect(rotated.secret).not.toBe(secret);
  expect(await json('webhook', 'disable', id)).toMatchObject({ id, disabled_at: expect.any(String) as string });
  expect(await fault('webhook', 'test', id)).toContain('The endpoint is off');
});

it('says what is wrong', async () => {
  expect(await fault('webhook', 'list', newId())).toContain('no account has this id');
  expect(await fault('webhook', 'rotate', newId())).toContain('no webhook has this id');
  expect(await fault('webhook', 'resend', newId())).toContain('no delivery has this id');
  const account = await bench.newAccount();
  const url = 'https://hooks.example.com/';
  expect(await fault('webhook', 'create', account, '--url', url, '--events', 'job.started')).toContain('--events');
  expect(await fault('webhook', 'create', account, '--url', url, '--events', 'credits.low')).toContain('--low must be');
  const unusable = ['webhook', 'create', account, '--events', 'job.completed', '--url', 'ftp://x.example/'] as const;
  expect(await fault(...unusable)).toContain('--url must begin with https://');
  expect(await fault('webhook', 'resend', newId())).toContain('webhook deliveries WEBHOOK');
});
