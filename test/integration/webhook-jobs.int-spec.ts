import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { KeyMode } from '../../src/auth/api-key.js';
import { ResultPagesRepository } from '../../src/jobs/completion/result-pages.repository.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { EndpointsService } from '../../src/webhooks/endpoints/endpoints.service.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ask, BillingBench, type Answered, type Caller } from './billing-api.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let worker: NestFastifyApplication | undefined;
let receiver: WebhookReceiver;
let caller: Caller;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi({ PUBLIC_URL: 'https://api.example.com' });
  receiver = await WebhookReceiver.start();
  worker = await createWorker(
    loadConfig('worker', {
      DATABASE_URL: bench.database.url,
      REDIS_URL: bench.redisUrl,
      WORKER_QUEUES: 'job-batch,webhook-delivery',
      PUBLIC_URL: 'https://api.example.com',
      ...laboratoryEnvironment(bench.lab),
      SMTP_CHECK_DOMAINS: 'none',
    }),
    createLog('silent'),
  );
  await worker.init();
});
afterAll(async () => {
  await worker?.close();
  await receiver?.stop();
  await bench?.close();
});
beforeEach(async () => {
  caller = await bench.newCaller('free-0', { purchased: 100 });
});

async function listen(mode: KeyMode) {
  const wanted = { mode, url: receiver.url, events: ['job.completed'], low: null } as const;
  const made = await api.get(EndpointsService, { strict: false }).create(caller.accountId, wanted, 'test');
  return made.endpoint;
}

interface Event {
  type: string;
  data: { id: string; counts: Record<string, number> };
}
const deliveriesOf = async (id: string) =>
  (await api.get(DeliveriesService, { strict: false }).page({ accountId: caller.accountId, id }, null, 10)).deliveries;
async function eventsOf(endpoint: string): Promise<Event[]> {
  const service = api.get(DeliveriesService, { strict: false });
  const opened = await Promise.all(
    (await deliveriesOf(endpoint)).map(({ id }) => service.open({ accountId: caller.accountId, id })),
  );
  return opened.map(({ body }) => JSON.parse(body!) as Event);
}
const submit = (key: string, emails: string[], more: object = {}): Promise<Answered> =>
  ask(api, key, { url: '/v1/verify/jobs', payload: JSON.stringify({ emails, ...more }) });
const completed = (key: string, id: unknown) =>
  waitUntil(
    async () =>
      (await ask(api, key, { method: 'GET', url: `/v1/verify/jobs/${String(id)}` })).body['status'] === 'completed',
    { ms: 60_000 },
  );

describe('job.completed', () => {
  it('comes once with a job’s counts and link, and not for a job that is to be silent', async () => {
    const { id: endpoint } = await listen('live');
    const { id: test } = await listen('test');
    const { body } = await submit(caller.live, ['ada@company.example', 'nemo@company.example', 'nonsense'], {
      name: 'Spring',
    });
    const silent = await submit(caller.live, ['bob@company.example'], { webhook: false });
    expect(await completed(caller.live, body['id'])).toBe(true);
    expect(await completed(caller.live, silent.body['id'])).toBe(true);
    const { results: _results, ...job } = (
      await ask(api, caller.live, { method: 'GET', url: `/v1/verify/jobs/${String(body['id'])}` })
    ).body;
    expect(await eventsOf(endpoint)).toEqual([
      {
        type: 'job.completed',
        timestamp: expect.any(String) as string,
        data: {
          ...job,
          name: 'Spring',
          counts: { valid: 1, invalid: 1, catch_all: 0, disposable: 0, role: 0, unknown: 0, error: 1 },
          url: `https://api.example.com/v1/verify/jobs/${String(body['id'])}`,
        },
      },
    ]);
    expect(await eventsOf(test)).toEqual([]);
    // By a worker that comes late.
    expect(await worker!.get(ResultPagesRepository, { strict: false }).complete(String(body['id']))).toBe(false);
    expect(await deliveriesOf(endpoint)).toHaveLength(1);
  });

  it('of a sandbox job is queued at the submit, and due when the job completes', async () => {
    const { id: endpoint } = await listen('test');
    const { id: live } = await listen('live');
    const { body } = await submit(caller.test, ['slow@example.com', 'valid@example.com']);
    const [delivery] = await deliveriesOf(endpoint);
    expect(delivery).toMatchObject({ type: 'job.completed' });
    const [event] = await eventsOf(endpoint);
    expect(event).toMatchObject({ data: { id: body['id'], status: 'completed', progress: { total: 2, done: 2 } } });
    const sent = () => receiver.received.find(({ body: text }) => text.includes(String(body['id'])));
    await waitUntil(() => Promise.resolve(sent()), { ms: 60_000 });
    const read = await ask(api, caller.test, { method: 'GET', url: `/v1/verify/jobs/${String(body['id'])}` });
    expect(read.body['status']).toBe('completed');
    expect(await eventsOf(live)).toEqual([]);
    await submit(caller.test, ['valid@example.com'], { webhook: false });
    expect(await deliveriesOf(endpoint)).toHaveLength(1);
  });
});
