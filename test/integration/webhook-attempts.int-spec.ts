import { idToBytes } from '../../src/platform/ids/uuid.js';
import {
  DeliveryEndingsRepository,
  type AttemptRecord,
} from '../../src/webhooks/delivery/delivery-endings.repository.js';
import { DeliveryTurnsRepository } from '../../src/webhooks/delivery/delivery-turns.repository.js';
import { OldDeliveriesRepository } from '../../src/webhooks/upkeep/old-deliveries.repository.js';
import { purge } from '../support/purge.js';
import { WebhookBench } from './webhook-support.js';

const URL = 'https://hooks.example.com/';

let bench: WebhookBench;
beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(() => bench?.close());

type Endpoint = { accountId: string; id: string };

describe('an attempt', () => {
  const turns = () => new DeliveryTurnsRepository(bench.database.dataSource);
  const endings = () => new DeliveryEndingsRepository(bench.database.dataSource);
  const record = (next: AttemptRecord['next']): AttemptRecord => ({
    status: 200,
    fault: null,
    answer: null,
    tookMs: 1,
    next,
  });
  const due = (endpoint: Endpoint, seconds = 0) =>
    bench.query('UPDATE webhook_deliveries SET due_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE endpoint_id = ?', [
      seconds,
      idToBytes(endpoint.id),
    ]);
  const waiting = async (count = 1): Promise<Endpoint> => {
    const endpoint = await bench.newEndpoint(URL);
    for (let n = 0; n < count; n++) await bench.report(endpoint.accountId, {}, false);
    return endpoint;
  };
  const claim = async (endpoint: Endpoint, limit = 10) => (await turns().claim(endpoint, limit)).deliveries;

  it('is made by one worker, when its time has come', async () => {
    const endpoint = await waiting(20);
    await due(endpoint, 1);
    expect(await claim(endpoint)).toEqual([]);
    expect(await turns().nextDueMs(endpoint.id)).toBeGreaterThan(0);
    await due(endpoint);
    const claims = await Promise.all([claim(endpoint), claim(endpoint), claim(endpoint)]);
    const ids = claims.flat().map(({ id }) => id);
    const more = await claim(endpoint);
    expect([new Set([...ids, ...more.map(({ id }) => id)]).size, ids.length + more.length]).toEqual([20, 20]);
    expect(await turns().nextDueMs(endpoint.id)).toBeGreaterThan(25_000);
  });

  it('is of what has waited longest', async () => {
    const endpoint = await waiting(3);
    const [, middle] = await bench.list(endpoint);
    await bench.query('UPDATE webhook_deliveries SET due_at = due_at - INTERVAL 1 DAY WHERE id = ?', [
      idToBytes(middle!.id),
    ]);
    expect(await claim(endpoint, 1)).toMatchObject([{ id: middle!.id, attempts: 1 }]);
  });

  it('that was taken for lost changes nothing any more', async () => {
    const endpoint = await waiting();
    const [lost] = await claim(endpoint);
    await due(endpoint);
    const [second] = await claim(endpoint);
    await endings().record(lost!, record('failed'));
    await endings().release(lost!);
    expect(await bench.list(endpoint)).toMatchObject([{ state: 'due', attempts: 2, status: null }]);
    await endings().record(second!, record('delivered'));
    await endings().record(second!, record('failed'));
    expect(await bench.list(endpoint)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });

  it('that has ended keeps what was sent for a week', async () => {
    const endpoint = await waiting(2);
    const [one, other] = await claim(endpoint);
    await endings().record(one!, record('delivered'));
    await endings().record(other!, record('failed'));
    const rows = await bench.query<{ hours: string }[]>(
      'SELECT TIMESTAMPDIFF(HOUR, ended_at, purge_at) AS hours FROM webhook_deliveries WHERE endpoint_id = ?',
      [idToBytes(endpoint.id)],
    );
    expect(rows.map(({ hours }) => Number(hours))).toEqual([168, 168]);
  });

  it('that is under way is not begun anew by a person, and stands when its endpoint is switched off', async () => {
    const endpoint = await waiting();
    const [claimed] = await claim(endpoint);
    const key = { accountId: endpoint.accountId, id: claimed!.id };
    expect(await bench.deliveries.resend(key, 'test')).toMatchObject({ state: 'due', attempts: 1 });
    expect(await claim(endpoint)).toEqual([]);
    await bench.endpoints.disable(endpoint, 'test');
    await purge(new OldDeliveriesRepository(bench.database.dataSource));
    await endings().record(claimed!, record('delivered'));
    expect(await bench.list(endpoint)).toMatchObject([{ state: 'delivered' }]);
    await expect(bench.deliveries.resend(key, 'test')).rejects.toMatchObject({ code: 'conflict' });
    await bench.endpoints.enable(endpoint, 'test');
    expect(await bench.deliveries.resend(key, 'test')).toMatchObject({ state: 'due', attempts: 0 });
    const kept = 'SELECT purge_at FROM webhook_deliveries WHERE endpoint_id = ?';
    expect(await bench.query(kept, [idToBytes(endpoint.id)])).toEqual([{ purge_at: null }]);
    expect(await claim(endpoint)).toMatchObject([{ id: claimed!.id, attempts: 1 }]);
  });

  it('is looked for at endpoints that are on, page by page', async () => {
    const [first, off, deleted, idle, last] = await Promise.all([1, 1, 1, 1, 1].map(waiting));
    await due(idle!, 86_400);
    await bench.endpoints.disable(off!, 'test');
    await bench.endpoints.delete(deleted!, 'test');
    const found: { endpointId: string; isDue: boolean }[] = [];
    for (let after: string | null = null; ;) {
      const page = await turns().dueEndpoints(after, 2);
      found.push(...page);
      if (page.length < 2) break;
      after = page.at(-1)!.endpointId;
    }
    const isDue = new Map(found.map((one) => [one.endpointId, one.isDue]));
    expect([first, off, deleted, idle, last].map((one) => isDue.get(one!.id))).toEqual([
      true,
      undefined,
      undefined,
      false,
      true,
    ]);
    expect(found).toHaveLength(isDue.size);
  });
});

it('an account deletes and makes a hundred endpoints an hour at most', async () => {
  const endpoint = await bench.newEndpoint(URL);
  const columns = 'account_id, mode, url, events, secret, created_at';
  await bench.query(
    `INSERT INTO webhook_endpoints (id, deleted_at, ${columns})
      WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 98)
      SELECT RANDOM_BYTES(16), UTC_TIMESTAMP(3), ${columns} FROM webhook_endpoints JOIN n WHERE id = ?`,
    [idToBytes(endpoint.id)],
  );
  await bench.newEndpoint(URL, { accountId: endpoint.accountId });
  await expect(bench.newEndpoint(URL, { accountId: endpoint.accountId })).rejects.toMatchObject({
    code: 'quota_exceeded',
    retryAfterSeconds: 3600,
  });
});
