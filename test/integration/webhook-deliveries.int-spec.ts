import { Redis } from 'ioredis';
import { Webhook } from 'standardwebhooks';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { DeliveryReconciler } from '../../src/webhooks/delivery/delivery-reconciler.js';
import { DeliveryTurnsRepository } from '../../src/webhooks/delivery/delivery-turns.repository.js';
import { answerWith, type Received } from '../support/webhook-receiver.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookBench } from './webhook-support.js';

let bench: WebhookBench;
beforeAll(async () => {
  bench = await WebhookBench.start();
  await bench.startWorker();
});
afterEach(() => bench.stopReceivers());
afterAll(() => bench?.close());

const verified = (secret: string, { body, headers }: Received): unknown => new Webhook(secret).verify(body, headers);

describe('a delivery', () => {
  it('is signed as Standard Webhooks says, and recorded with its answer', async () => {
    const receiver = await bench.receive(answerWith(200, 'thanks, ada@company.example'));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId, {
      type: 'verification.completed',
      data: () => ({ email: 'ada@company.example' }),
    });
    const [delivery] = (await bench.attempted(endpoint))!;
    expect(delivery).toMatchObject({
      type: 'verification.completed',
      state: 'delivered',
      attempts: 1,
      status: 200,
      fault: null,
      dueAt: null,
      isErased: false,
    });
    expect(JSON.stringify(delivery)).not.toContain('company.example');
    const [received] = receiver.received;
    expect(received!.headers).toMatchObject({ 'webhook-id': delivery!.id, 'content-type': 'application/json' });
    expect(verified(endpoint.secret, received!)).toEqual({
      type: 'verification.completed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: { email: 'ada@company.example' },
    });
    expect(await bench.deliveries.open({ accountId: endpoint.accountId, id: delivery!.id })).toMatchObject({
      body: received!.body,
      answer: 'thanks, ada@company.example',
    });
    const [row] = await bench.query<Record<string, unknown>[]>('SELECT * FROM webhook_deliveries WHERE id = ?', [
      idToBytes(delivery!.id),
    ]);
    expect(Object.values(row!).map(String).join('\n')).not.toContain('company.example');
    expect(bench.logged.join('\n')).not.toContain('company.example');
  });

  it('goes to the endpoints of the mode that take the event, and no others', async () => {
    const accountId = await bench.newAccount();
    const [live, test, others, off, stranger] = await Promise.all(Array.from({ length: 5 }, () => bench.receive()));
    const taking = await bench.newEndpoint(live!.url, { accountId });
    await bench.newEndpoint(test!.url, { accountId, mode: 'test' });
    await bench.newEndpoint(others!.url, { accountId, events: ['guard.quota_exhausted'] });
    const disabled = await bench.newEndpoint(off!.url, { accountId });
    await bench.endpoints.disable(disabled, 'test');
    await bench.newEndpoint(stranger!.url);
    await bench.report(accountId);
    await bench.attempted(taking);
    const { n } = (
      await bench.query<{ n: string }[]>('SELECT COUNT(*) AS n FROM webhook_deliveries WHERE account_id = ?', [
        idToBytes(accountId),
      ])
    )[0]!;
    expect(Number(n)).toBe(1);
    expect(live!.received).toHaveLength(1);
  });

  it('is signed with both secrets for a day after a rotation', async () => {
    const receiver = await bench.receive();
    const endpoint = await bench.newEndpoint(receiver.url);
    const renewed = await bench.endpoints.rotate(endpoint, 'test');
    await bench.report(endpoint.accountId);
    await bench.attempted(endpoint);
    const [first] = receiver.received;
    expect(verified(endpoint.secret, first!)).toEqual(verified(renewed, first!));
    const [row] = await bench.query<{ hours: string }[]>(
      'SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(3), old_secret_until) / 60 AS hours FROM webhook_endpoints WHERE id = ?',
      [idToBytes(endpoint.id)],
    );
    expect(Math.ceil(Number(row!.hours))).toBe(24);
    await bench.query('UPDATE webhook_endpoints SET old_secret_until = UTC_TIMESTAMP(3) WHERE id = ?', [
      idToBytes(endpoint.id),
    ]);
    await bench.report(endpoint.accountId);
    await bench.attempted(endpoint, 2);
    const second = receiver.received[1]!;
    expect(verified(renewed, second)).toBeDefined();
    expect(() => verified(endpoint.secret, second)).toThrow('No matching signature found');
  });

  it('is signed with the secret that the receiver has after a rotation whose answer was lost was done again', async () => {
    const receiver = await bench.receive();
    const endpoint = await bench.newEndpoint(receiver.url);
    const lost = await bench.endpoints.rotate(endpoint, 'test');
    const renewed = await bench.endpoints.rotate(endpoint, 'test');
    await bench.report(endpoint.accountId);
    await bench.attempted(endpoint);
    for (const secret of [endpoint.secret, lost, renewed])
      expect(verified(secret, receiver.received[0]!)).toBeDefined();
    await bench.query('UPDATE webhook_endpoints SET older_secret_until = UTC_TIMESTAMP(3) WHERE id = ?', [
      idToBytes(endpoint.id),
    ]);
    await bench.report(endpoint.accountId);
    await bench.attempted(endpoint, 2);
    const second = receiver.received[1]!;
    expect(verified(lost, second)).toEqual(verified(renewed, second));
    expect(() => verified(endpoint.secret, second)).toThrow('No matching signature found');
  });

  it('is signed with the new secret too in a run that began before the rotation', async () => {
    let release!: () => void;
    const rotated = new Promise<void>((resolve) => (release = resolve));
    const receiver = await bench.receive((response) => void rotated.then(() => response.writeHead(204).end()));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    await waitUntil(() => Promise.resolve(receiver.received.length === 1), { ms: 30_000 });
    const renewed = await bench.endpoints.rotate(endpoint, 'test');
    await bench.report(endpoint.accountId);
    release();
    await bench.attempted(endpoint, 2);
    const second = receiver.received[1]!;
    expect(verified(renewed, second)).toEqual(verified(endpoint.secret, second));
  });

  it('that fails is repeated after five seconds, with the same id', async () => {
    const receiver = await bench.receive(answerWith(500, 'no'));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    const [failed] = (await bench.attempted(endpoint))!;
    expect(failed).toMatchObject({ state: 'due', attempts: 1, status: 500 });
    expect(failed!.dueAt!.getTime() - failed!.attemptedAt!.getTime()).toBeGreaterThanOrEqual(5000);
    expect(
      await waitUntil(async () => (await bench.endpoints.read(endpoint)).failingSince, { ms: 30_000 }),
    ).not.toBeNull();
    receiver.answer = answerWith(204);
    const delivered = await waitUntil(
      async () => (await bench.list(endpoint)).find(({ state }) => state === 'delivered'),
      { ms: 30_000 },
    );
    expect(delivered).toMatchObject({ id: failed!.id, attempts: 2, status: 204 });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const isSound = async () => (await bench.endpoints.read(endpoint)).failingSince === null;
    expect(await waitUntil(isSound, { ms: 30_000 })).toBe(true);
  });

  it('waits as long as the receiver asks', async () => {
    const receiver = await bench.receive(answerWith(503, '', { 'retry-after': '3600' }));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    const [delivery] = (await bench.attempted(endpoint))!;
    expect(delivery!.dueAt!.getTime() - delivery!.attemptedAt!.getTime()).toBeGreaterThanOrEqual(3_600_000);
  });

  it('fails for good after its tenth attempt, stays listed, and can be sent again until it is erased', async () => {
    const receiver = await bench.receive(answerWith(500));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId, {}, false);
    await bench.query('UPDATE webhook_deliveries SET attempts = 9 WHERE endpoint_id = ?', [idToBytes(endpoint.id)]);
    await bench.report(endpoint.accountId);
    const [, failed] = (await bench.attempted(endpoint, 2))!;
    expect(failed).toMatchObject({ state: 'failed', attempts: 10, dueAt: null });
    receiver.answer = answerWith(204);
    const key = { accountId: endpoint.accountId, id: failed!.id };
    await bench.deliveries.resend(key, 'operator:test');
    await waitUntil(async () => (await bench.deliveries.open(key)).state === 'delivered', { ms: 30_000 });
    expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(failed!.id);
    await bench.query('UPDATE webhook_deliveries SET body = NULL WHERE id = ?', [idToBytes(failed!.id)]);
    await expect(bench.deliveries.resend(key, 'operator:test')).rejects.toMatchObject({ code: 'conflict' });
    await expect(
      bench.deliveries.resend({ ...key, accountId: await bench.newAccount() }, 'operator:test'),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is no redirect', async () => {
    const elsewhere = await bench.receive();
    const receiver = await bench.receive(answerWith(301, '', { location: elsewhere.url }));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    expect(await bench.attempted(endpoint)).toEqual([expect.objectContaining({ state: 'due', status: 301 })]);
    expect(elsewhere.connections).toBe(0);
  });

  it('reads four kilobytes of an answer', async () => {
    const receiver = await bench.receive(answerWith(200, 'x'.repeat(10_000_000)));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    const [delivery] = (await bench.attempted(endpoint))!;
    expect(delivery).toMatchObject({ state: 'delivered' });
    const { answer } = await bench.deliveries.open({ accountId: endpoint.accountId, id: delivery!.id });
    expect(answer).toBe('x'.repeat(4096));
  });

  it('of a test needs no event', async () => {
    const receiver = await bench.receive();
    const endpoint = await bench.newEndpoint(receiver.url);
    const id = await bench.deliveries.sendTest(endpoint, 'operator:test');
    expect(await bench.attempted(endpoint)).toEqual([expect.objectContaining({ id, type: 'webhook.test' })]);
    expect(verified(endpoint.secret, receiver.received[0]!)).toMatchObject({
      type: 'webhook.test',
      data: { endpoint_id: endpoint.id },
    });
  });
});

it('an attempt that a stopping worker cannot wait for is made at once by another, and counts once', async () => {
  await bench.stopWorkers();
  await bench.startWorker({ SHUTDOWN_GRACE_MS: '2000' });
  const receiver = await bench.receive(() => undefined);
  const endpoint = await bench.newEndpoint(receiver.url);
  await bench.report(endpoint.accountId);
  await waitUntil(() => Promise.resolve(receiver.received.length === 1), { ms: 30_000 });
  receiver.answer = answerWith(204);
  await bench.stopWorkers();
  await bench.startWorker();
  const delivered = await waitUntil(
    async () => (await bench.list(endpoint)).find(({ state }) => state === 'delivered'),
    { ms: 20_000 },
  );
  expect(delivered).toMatchObject({ attempts: 1, status: 204 });
});

describe('deliveries that Redis has lost', () => {
  it('are all sent: a thousand that waited, by a worker that finds an empty Redis', async () => {
    await bench.stopWorkers();
    const receiver = await bench.receive();
    const endpoint = await bench.newEndpoint(receiver.url);
    await Promise.all(Array.from({ length: 1000 }, () => bench.report(endpoint.accountId)));
    const client = new Redis(bench.redis.url);
    await client.flushdb();
    client.disconnect();
    await bench.startWorker();
    await waitUntil(() => Promise.resolve(receiver.received.length >= 1000), { ms: 60_000 });
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([receiver.received.length, ids.size]).toEqual([1000, 1000]);
  });
});

it('an event that is written while a run of its endpoint ends does not wait for the reconciler', async () => {
  await bench.stopWorkers();
  const worker = await bench.startWorker();
  worker.get(DeliveryReconciler, { strict: false }).onModuleDestroy();
  const receiver = await bench.receive();
  const endpoint = await bench.newEndpoint(receiver.url);
  const turns = worker.get(DeliveryTurnsRepository, { strict: false });
  const nextDueMs = turns.nextDueMs.bind(turns);
  let isReported = false;
  jest.spyOn(turns, 'nextDueMs').mockImplementation(async (id) => {
    const found = await nextDueMs(id);
    // Queueing it would change nothing: the job of the run is still there.
    if (id === endpoint.id && !isReported) await bench.report(endpoint.accountId, {}, false);
    isReported = true;
    return found;
  });
  await bench.report(endpoint.accountId);
  expect(await waitUntil(() => Promise.resolve(receiver.received.length === 2), { ms: 30_000 })).toBe(true);
});
