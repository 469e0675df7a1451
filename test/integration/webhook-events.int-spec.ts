import { setTimeout as delay } from 'node:timers/promises';
import { LowBalanceRepository } from '../../src/billing/low-balance/low-balance.repository.js';
import { LowBalanceTask } from '../../src/billing/low-balance/low-balance.task.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { DecisionQuota } from '../../src/billing/decisions/decision-quota.js';
import { DEVELOPMENT_ADDRESS_KEY, type AddressKey } from '../../src/platform/config/address-keys.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { TextSealer } from '../../src/platform/sealing/text-sealer.js';
import { OutboxRepository } from '../../src/webhooks/outbox/outbox.repository.js';
import { WebhookDeliveryProducer } from '../../src/webhooks/outbox/webhook-delivery.queue.js';
import { OldDeliveriesRepository } from '../../src/webhooks/upkeep/old-deliveries.repository.js';
import { ResealSecretsTask } from '../../src/webhooks/upkeep/reseal-secrets.task.js';
import { SealedSecretsRepository } from '../../src/webhooks/upkeep/sealed-secrets.repository.js';
import { secretContext } from '../../src/webhooks/sealing-contexts.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookBench } from './webhook-support.js';
import { purge } from '../support/purge.js';

const URL = 'https://hooks.example.com/';

let bench: WebhookBench;
beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(() => bench?.close());

type Endpoint = { accountId: string; id: string };
async function bodies(endpoint: Endpoint): Promise<{ type: string; data: unknown }[]> {
  const found = await bench.list(endpoint);
  const opened = await Promise.all(found.map(({ id }) => bench.deliveries.open({ accountId: endpoint.accountId, id })));
  return opened.map(({ body }) => JSON.parse(body!) as { type: string; data: unknown }).toReversed();
}

describe('credits.low', () => {
  const balances = (): LowBalanceRepository =>
    new LowBalanceRepository(bench.database.dataSource, bench.api.get(OutboxRepository, { strict: false }));
  const sweep = async (): Promise<void> => {
    const queue = bench.api.get(WebhookDeliveryProducer, { strict: false });
    const task = new LowBalanceTask(balances(), queue);
    await task.run(new AbortController().signal);
  };
  const ledger = () => new LedgerRepository(bench.database.dataSource);
  const grant = (accountId: string, credits: number) =>
    ledger().grant({ accountId, credits, kind: 'purchased', reference: `grant:${newId()}` }, 'test');
  const spend = (accountId: string, credits: number) =>
    bench.database.dataSource.transaction('READ COMMITTED', (transaction) =>
      ledger().chargeWithin(transaction, {
        accountId,
        keyId: newId(),
        reference: `single:${newId()}`,
        price: { addresses: 1, credits, unitPrice: credits },
        freeVerifiesPerMonth: 0,
      }),
    );

  it('is sent once when the balance falls under the limit, and again after it rose above', async () => {
    const accountId = await bench.newAccount();
    await grant(accountId, 100);
    const watching = await bench.newEndpoint(URL, { accountId, events: ['credits.low'], low: 50 });
    const lower = await bench.newEndpoint(URL, { accountId, events: ['credits.low'], low: 10 });
    const test = await bench.newEndpoint(URL, { accountId, events: ['credits.low'], low: 1000, mode: 'test' });
    await sweep();
    expect(await bodies(watching)).toEqual([]);
    await spend(accountId, 50);
    await sweep();
    expect(await bodies(watching)).toEqual([]);
    await spend(accountId, 1);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await bodies(watching)).toMatchObject([{ type: 'credits.low', data: { credits: 49, low: 50 } }]);
    await spend(accountId, 1);
    await sweep();
    expect(await bodies(watching)).toHaveLength(1);
    await grant(accountId, 2);
    await sweep();
    await spend(accountId, 1);
    await sweep();
    expect(await bodies(watching)).toMatchObject([{}, { type: 'credits.low', data: { credits: 49 } }]);
    expect([await bodies(lower), await bodies(test)]).toEqual([[], []]);
  });

  it('is sent by one of two sweeps', async () => {
    const { id } = await bench.newEndpoint(URL, { events: ['credits.low'], low: 1 });
    const first = bench.database.dataSource.createQueryRunner();
    await first.startTransaction();
    await first.query('UPDATE webhook_endpoints SET is_low = 1 WHERE id = ?', [idToBytes(id)]);
    const second = balances().settle(id);
    await delay(200);
    await first.commitTransaction();
    await first.release();
    expect(await second).toBeNull();
  });

  it('says 0 of an account that never had credits', async () => {
    const endpoint = await bench.newEndpoint(URL, { events: ['credits.low'], low: 1 });
    await sweep();
    expect(await bodies(endpoint)).toMatchObject([{ data: { credits: 0, low: 1 } }]);
  });
});

describe('guard.quota_exhausted', () => {
  it('is sent once a month, by the first decision that is refused, whatever number of processes', async () => {
    const endpoint = await bench.newEndpoint(URL, { events: ['guard.quota_exhausted'] });
    const { accountId } = endpoint;
    const other = await WebhookBench.beside(bench);
    const quotas = [bench, other].map(({ api }) => api.get(DecisionQuota, { strict: false }));
    const take = (month: number) => Promise.all(quotas.map((quota) => quota.take({ accountId, month, perMonth: 2 })));
    expect(await take(202611)).toEqual([true, true]);
    expect(await bodies(endpoint)).toEqual([]);
    expect(await take(202611)).toEqual([false, false]);
    expect(await take(202611)).toEqual([false, false]);
    await waitUntil(async () => (await bodies(endpoint)).length > 0, { ms: 60_000 });
    await other.close();
    expect(await bodies(endpoint)).toMatchObject([
      { type: 'guard.quota_exhausted', data: { month: '2026-11', quota: 2 } },
    ]);
    for (let i = 0; i < 3; i++) await quotas[0]!.take({ accountId, month: 202612, perMonth: 2 });
    expect(await waitUntil(async () => (await bodies(endpoint)).length === 2, { ms: 60_000 })).toBe(true);
  });
});

describe('old deliveries', () => {
  const purgeOld = () => purge(new OldDeliveriesRepository(bench.database.dataSource));
  const end = ({ id }: Endpoint, days: number) =>
    bench.query(
      `UPDATE webhook_deliveries SET state = 'delivered', answer = body, ended_at = UTC_TIMESTAMP(3) - INTERVAL ? DAY,
        purge_at = UTC_TIMESTAMP(3) - INTERVAL ? DAY + INTERVAL 7 DAY WHERE endpoint_id = ?`,
      [days, days, idToBytes(id)],
    );

  const keptHours = async ({ id }: Endpoint): Promise<string[]> => {
    const rows = await bench.query<{ hours: string }[]>(
      'SELECT TIMESTAMPDIFF(HOUR, ended_at, purge_at) AS hours FROM webhook_deliveries WHERE endpoint_id = ?',
      [idToBytes(id)],
    );
    return rows.map(({ hours }) => hours);
  };

  it('lose what was sent after a week, and go after a month', async () => {
    const endpoint = await bench.newEndpoint(URL);
    await bench.report(endpoint.accountId, {}, false);
    const [delivery] = await bench.list(endpoint);
    const key = { accountId: endpoint.accountId, id: delivery!.id };
    await end(endpoint, 6);
    await purgeOld();
    expect(await bench.deliveries.open(key)).toMatchObject({
      isErased: false,
      body: expect.any(String) as string,
      answer: expect.any(String) as string,
    });
    await end(endpoint, 8);
    // Where there was no time to erase what was sent, the row is not deleted in its stead.
    await new OldDeliveriesRepository(bench.database.dataSource).deleteOld(500);
    await purgeOld();
    expect(await keptHours(endpoint)).toEqual(['720']);
    expect(await bench.deliveries.open(key)).toMatchObject({ isErased: true, body: null, answer: null });
    await expect(bench.deliveries.resend(key, 'operator:test')).rejects.toMatchObject({ code: 'conflict' });
    await bench.query(`UPDATE webhook_deliveries SET purge_at = purge_at - INTERVAL 22 DAY WHERE endpoint_id = ?`, [
      idToBytes(endpoint.id),
    ]);
    await purgeOld();
    expect(await bench.list(endpoint)).toEqual([]);
  });

  it('of an endpoint that is off have failed, and those of a deleted one are gone', async () => {
    const [off, deleted] = [await bench.newEndpoint(URL), await bench.newEndpoint(URL)];
    await bench.report(off.accountId, {}, false);
    await bench.report(deleted.accountId, {}, false);
    await bench.endpoints.disable(off, 'test');
    await bench.endpoints.delete(deleted, 'test');
    await purgeOld();
    await purgeOld();
    expect(await bench.list(off)).toMatchObject([{ state: 'failed', attempts: 0 }]);
    expect(await keptHours(off)).toEqual(['168']);
    const left = await bench.query<unknown[]>('SELECT id FROM webhook_deliveries WHERE endpoint_id = ?', [
      idToBytes(deleted.id),
    ]);
    expect(left).toEqual([]);
    // A transaction that saw it before may still add a delivery.
    expect(await bench.query('SELECT 1 FROM webhook_endpoints WHERE id = ?', [idToBytes(deleted.id)])).toHaveLength(1);
    await bench.query('UPDATE webhook_endpoints SET deleted_at = deleted_at - INTERVAL 1 HOUR WHERE id = ?', [
      idToBytes(deleted.id),
    ]);
    await purgeOld();
    const rows = await bench.query<unknown[]>('SELECT id FROM webhook_endpoints WHERE id = ?', [idToBytes(deleted.id)]);
    expect(rows).toEqual([]);
  });
});

describe('a secret', () => {
  const NEW: AddressKey = { id: 1, key: 'a key that is in front now' };
  const reseal = async (...keys: AddressKey[]): Promise<void> => {
    const secrets = new SealedSecretsRepository(bench.database.dataSource);
    await new ResealSecretsTask(secrets, new TextSealer(keys)).run(new AbortController().signal);
  };
  const openedBy = async ({ id }: Endpoint, ...keys: AddressKey[]): Promise<string> => {
    const rows = await bench.query<{ secret: Buffer }[]>('SELECT secret FROM webhook_endpoints WHERE id = ?', [
      idToBytes(id),
    ]);
    return new TextSealer(keys).open(rows[0]!.secret, secretContext(id));
  };

  it('is sealed with the key in front also where nothing is sent, so that older keys may go', async () => {
    const [quiet, off] = [await bench.newEndpoint(URL), await bench.newEndpoint(URL)];
    await bench.endpoints.disable(off, 'test');
    await reseal(NEW, DEVELOPMENT_ADDRESS_KEY);
    expect(await openedBy(quiet, NEW)).toBe(quiet.secret);
    expect(await openedBy(off, NEW)).toBe(off.secret);
  });

  it('whose key has gone already stays, and keeps no other from it', async () => {
    const lost = await bench.newEndpoint(URL);
    await reseal({ id: 2, key: 'a key that nobody has kept' }, DEVELOPMENT_ADDRESS_KEY);
    const other = await bench.newEndpoint(URL);
    await reseal(NEW, DEVELOPMENT_ADDRESS_KEY);
    expect(await openedBy(other, NEW)).toBe(other.secret);
    expect(await openedBy(lost, { id: 2, key: 'a key that nobody has kept' })).toBe(lost.secret);
  });
});
