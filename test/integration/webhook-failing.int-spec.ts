import { setTimeout } from 'node:timers/promises';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { DeliveryEndingsRepository } from '../../src/webhooks/delivery/delivery-endings.repository.js';
import { answerWith } from '../support/webhook-receiver.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookBench } from './webhook-support.js';

let bench: WebhookBench;
beforeAll(async () => {
  bench = await WebhookBench.start();
  await bench.startWorker();
});
afterEach(() => bench.stopReceivers());
afterAll(() => bench?.close());

type Endpoint = { accountId: string; id: string };
const auditOf = ({ accountId }: Endpoint) =>
  bench.query<{ actor: string; action: string; details: unknown }[]>(
    `SELECT actor, action, details FROM audit_log WHERE account_id = ? AND action = 'webhook.disable'`,
    [idToBytes(accountId)],
  );
/** As if the delay had passed. */
async function hasten(endpoint: Endpoint): Promise<void> {
  await bench.query(`UPDATE webhook_deliveries SET due_at = UTC_TIMESTAMP(3), status = NULL WHERE endpoint_id = ?`, [
    idToBytes(endpoint.id),
  ]);
}
const failingFor = ({ id }: Endpoint, days: number) =>
  bench.query('UPDATE webhook_endpoints SET failing_since = UTC_TIMESTAMP(3) - INTERVAL ? DAY WHERE id = ?', [
    days,
    idToBytes(id),
  ]);

describe('an endpoint', () => {
  it('is switched off by a 410, with an audit row', async () => {
    const receiver = await bench.receive(answerWith(410));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    await waitUntil(async () => (await bench.endpoints.read(endpoint)).disabledAt, { ms: 30_000 });
    expect(await bench.endpoints.read(endpoint)).toMatchObject({ disabledBy: 'gone' });
    expect(await auditOf(endpoint)).toEqual([
      { actor: 'service:webhooks', action: 'webhook.disable', details: { by: 'gone' } },
    ]);
    expect(await bench.list(endpoint)).toEqual([expect.objectContaining({ state: 'failed', status: 410 })]);
    await bench.report(endpoint.accountId);
    expect(await bench.list(endpoint)).toHaveLength(1);
    await expect(bench.deliveries.sendTest(endpoint, 'operator:test')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is switched off after five days of failures, with an audit row, and not by one failure', async () => {
    const receiver = await bench.receive(answerWith(500));
    const endpoint = await bench.newEndpoint(receiver.url);
    await bench.report(endpoint.accountId);
    await bench.attempted(endpoint);
    await failingFor(endpoint, 4);
    await hasten(endpoint);
    await bench.attempted(endpoint);
    expect((await bench.endpoints.read(endpoint)).disabledAt).toBeNull();
    await failingFor(endpoint, 5);
    await hasten(endpoint);
    await waitUntil(async () => (await bench.endpoints.read(endpoint)).disabledAt, { ms: 30_000 });
    expect(await bench.endpoints.read(endpoint)).toMatchObject({ disabledBy: 'failing' });
    expect(await auditOf(endpoint)).toEqual([
      { actor: 'service:webhooks', action: 'webhook.disable', details: { by: 'failing' } },
    ]);
    const again = await bench.endpoints.enable(endpoint, 'test');
    expect(again).toMatchObject({ disabledAt: null, disabledBy: null, failingSince: null });
  });

  it('stays on after five days of failures if one of several deliveries at once succeeds before others fail', async () => {
    const receiver = await bench.receive((response) => {
      const place = receiver.received.length;
      void setTimeout(300 * place).then(() => response.writeHead(place === 1 ? 204 : 500).end());
    });
    const endpoint = await bench.newEndpoint(receiver.url);
    await failingFor(endpoint, 6);
    for (let i = 0; i < 3; i++) await bench.report(endpoint.accountId, {}, i === 2);
    const found = await bench.attempted(endpoint, 3);
    expect(new Set(found!.map(({ status }) => status))).toEqual(new Set([204, 500]));
    const isNoted = async () => (await bench.endpoints.read(endpoint)).failingSince;
    expect((await waitUntil(isNoted, { ms: 30_000 }))!.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await bench.endpoints.read(endpoint)).toMatchObject({ disabledAt: null });
  });

  it('stays on if a person switches it off and on again while the last of its attempts is under way', async () => {
    let fail: (() => void) | undefined;
    const receiver = await bench.receive((response) => (fail = () => void response.writeHead(500).end()));
    const endpoint = await bench.newEndpoint(receiver.url);
    await failingFor(endpoint, 6);
    await bench.report(endpoint.accountId);
    await waitUntil(() => Promise.resolve(fail), { ms: 30_000 });
    await bench.endpoints.disable(endpoint, 'test');
    await bench.endpoints.enable(endpoint, 'test');
    fail!();
    await bench.attempted(endpoint);
    const isNoted = async () => (await bench.endpoints.read(endpoint)).failingSince;
    expect(await waitUntil(isNoted, { ms: 30_000 })).toBeTruthy();
    expect(await bench.endpoints.read(endpoint)).toMatchObject({ disabledAt: null });
  });

  it('is no longer failing after a success that comes while a failure is being noted', async () => {
    await bench.stopWorkers();
    const worker = await bench.startWorker();
    const endings = worker.get(DeliveryEndingsRepository, { strict: false });
    const noteFailure = endings.noteFailure.bind(endings);
    let isNoted = false;
    jest.spyOn(endings, 'noteFailure').mockImplementation(async (endpoint) => {
      await setTimeout(1000);
      const isFirst = await noteFailure(endpoint);
      isNoted = true;
      return isFirst;
    });
    const receiver = await bench.receive((response) => {
      const place = receiver.received.length;
      void setTimeout(400 * place).then(() => response.writeHead(place === 1 ? 500 : 204).end());
    });
    const endpoint = await bench.newEndpoint(receiver.url);
    for (let i = 0; i < 2; i++) await bench.report(endpoint.accountId, {}, i === 1);
    await bench.attempted(endpoint, 2);
    await waitUntil(() => Promise.resolve(isNoted), { ms: 30_000 });
    const isSound = async () => (await bench.endpoints.read(endpoint)).failingSince === null;
    expect(await waitUntil(isSound, { ms: 3000 })).toBe(true);
  });

  it.each(['delete', 'disable'] as const)('gets nothing more after a person’s %s', async (act) => {
    const receiver = await bench.receive((response) => void setTimeout(300).then(() => response.writeHead(204).end()));
    const endpoint = await bench.newEndpoint(receiver.url);
    for (let i = 0; i < 40; i++) await bench.report(endpoint.accountId, {}, i === 39);
    await waitUntil(() => Promise.resolve(receiver.received.length > 0), { ms: 30_000 });
    await bench.endpoints[act](endpoint, 'test');
    // Those under way.
    await setTimeout(500);
    const before = receiver.received.length;
    await setTimeout(2000);
    expect(receiver.received.length).toBe(before);
    expect(before).toBeLessThan(40);
  });
});
