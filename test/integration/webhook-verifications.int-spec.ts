import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { idFromBytes, idToBytes } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import { PendingProbesRepository } from '../../src/verify/probes/pending-probes.repository.js';
import { ProbeEndingsRepository } from '../../src/verify/probes/probe-endings.repository.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { EndpointsService } from '../../src/webhooks/endpoints/endpoints.service.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ask, BillingBench, type Answered, type Caller } from './billing-api.js';
import { addressOf, probeFacts, recorded } from './pending-support.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let worker: NestFastifyApplication | undefined;
let receiver: WebhookReceiver;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
  receiver = await WebhookReceiver.start();
});
afterEach(async () => {
  await worker?.close();
  worker = undefined;
});
afterAll(async () => {
  await receiver?.stop();
  await bench?.close();
});

async function startWorker(): Promise<void> {
  const settings = loadConfig('worker', {
    DATABASE_URL: bench.database.url,
    REDIS_URL: bench.redisUrl,
    WORKER_QUEUES: 'smtp-probe,webhook-delivery',
    DNS_SERVERS: bench.lab.dnsServer,
    SMTP_PORT: String(bench.lab.smtpPort),
    SMTP_HELO_NAME: 'prober.example',
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_CHECK_DOMAINS: 'none',
  });
  worker = await createWorker(settings, createLog('silent'));
  await worker.init();
}

async function listener(plan = 'free-0'): Promise<Caller & { endpointId: string }> {
  const caller = await bench.newCaller(plan, { purchased: 100 });
  const wanted = { mode: 'live', url: receiver.url, events: ['verification.completed'], low: null } as const;
  const { endpoint } = await api.get(EndpointsService, { strict: false }).create(caller.accountId, wanted, 'test');
  return { ...caller, endpointId: endpoint.id };
}

const verify = (key: string, email: string, requestId: string, more: object = {}): Promise<Answered> =>
  ask(api, key, { payload: JSON.stringify({ email, async: true, ...more }), headers: { 'x-request-id': requestId } });
const verifyBatch = (key: string, emails: string[], requestId: string): Promise<Answered> =>
  ask(api, key, {
    url: '/v1/verify/batch',
    payload: JSON.stringify({ emails, mode: 'standard' }),
    headers: { 'x-request-id': requestId },
  });

interface Body {
  type: string;
  data: { request_ids: string[]; email: string | null; result: unknown; error: string | null; refund: unknown };
}
/** What is stored for the account's endpoint, as it is sent. */
async function events({ accountId, endpointId }: { accountId: string; endpointId: string }): Promise<Body[]> {
  const service = api.get(DeliveriesService, { strict: false });
  const { deliveries } = await service.page({ accountId, id: endpointId }, null, 100);
  const opened = await Promise.all(deliveries.map(({ id }) => service.open({ accountId, id })));
  return opened.map(({ body }) => JSON.parse(body!) as Body);
}
const awaited = (account: { accountId: string; endpointId: string }, count: number) =>
  waitUntil(async () => ((await events(account)).length >= count ? events(account) : null), { ms: 30_000 });
const pendingOf = async (accountId: string): Promise<string[]> =>
  (
    await bench.database.dataSource.query<{ id: Buffer }[]>(
      `SELECT DISTINCT p.id FROM pending_probes p JOIN waiting_charges w ON w.waits_on = p.id
        JOIN ledger_entries l ON l.reference = w.reference WHERE l.account_id = ?`,
      [idToBytes(accountId)],
    )
  ).map(({ id }) => idFromBytes(id));

describe('verification.completed', () => {
  it('tells each account that waits on a probe once, with the ids of its requests and the result', async () => {
    const [one, other, silent] = [
      await listener(),
      await listener(),
      await bench.newCaller('free-0', { purchased: 10 }),
    ];
    expect((await verify(one.live, 'ada@company.example', 'first')).body).toMatchObject({
      reason: 'verification_pending',
    });
    await verifyBatch(one.live, ['ada@company.example', 'Ada@company.example', 'nemo@company.example'], 'second');
    await verify(other.live, 'ada@company.example', 'third', { mode: 'enhanced' });
    await verify(silent.live, 'ada@company.example', 'fourth');
    await startWorker();
    const found = (await awaited(one, 2))!.toSorted((a, b) => (a.data.email! < b.data.email! ? -1 : 1));
    expect(found).toEqual([
      {
        type: 'verification.completed',
        timestamp: expect.any(String) as string,
        data: {
          request_ids: ['second', 'first'],
          email: 'ada@company.example',
          result: expect.objectContaining({
            email: 'ada@company.example',
            result: 'valid',
            freshness: 'fresh',
          }) as unknown,
          error: null,
          refund: null,
        },
      },
      expect.objectContaining({
        data: expect.objectContaining({
          request_ids: ['second'],
          email: 'nemo@company.example',
          result: expect.objectContaining({ reason: 'mailbox_not_found' }) as unknown,
        }) as unknown,
      }),
    ]);
    expect(await awaited(other, 1)).toMatchObject([{ data: { request_ids: ['third'], error: null } }]);
    const later = await ask(api, one.live, { payload: JSON.stringify({ email: 'ada@company.example' }) });
    const { freshness: _fresh, ...answer } = later.body;
    expect(found[0]!.data.result).toMatchObject(answer);
    expect(await waitUntil(() => Promise.resolve(receiver.received.length >= 3), { ms: 30_000 })).toBe(true);
    const deliveries = await bench.database.dataSource.query<unknown[]>('SELECT id FROM webhook_deliveries');
    expect(deliveries).toHaveLength(3);
  });

  it('tells all that the domain accepts everybody, if a call of one of them had that asked', async () => {
    const [standard, enhanced] = [await listener(), await listener()];
    await verify(standard.live, 'ada@everybody.example', 'standard');
    await verify(enhanced.live, 'ada@everybody.example', 'enhanced', { mode: 'enhanced' });
    await startWorker();
    for (const { live, ...account } of [standard, enhanced]) {
      const [event] = (await awaited(account, 1))!;
      const { body } = await ask(api, live, { payload: JSON.stringify({ email: 'ada@everybody.example' }) });
      expect(body).toMatchObject({ result: 'catch_all', reason: 'catch_all_domain' });
      expect(event?.data.result).toMatchObject({ result: 'catch_all', decision: body['decision'] });
    }
  });

  it('says that there is no verdict, and what was refunded', async () => {
    const [paying, free] = [await listener(), await listener('free-100')];
    await verifyBatch(paying.live, ['bob@company.example', 'Bob@company.example'], 'paying');
    await verify(free.live, 'bob@company.example', 'free', { mode: 'enhanced' });
    const [probe] = await pendingOf(paying.accountId);
    expect(await api.get(ProbeEndingsRepository, { strict: false }).fail(probe!, 'for a test')).toBe(true);
    const lost = { email: 'bob@company.example', result: null, error: 'verify_unavailable' };
    expect(await events(paying)).toMatchObject([
      { data: { ...lost, request_ids: ['paying'], refund: { credits: 2, free_verifies: 0 } } },
    ]);
    expect(await events(free)).toMatchObject([
      { data: { ...lost, request_ids: ['free'], refund: { credits: 0, free_verifies: 1 } } },
    ]);
    expect(await api.get(ProbeEndingsRepository, { strict: false }).fail(probe!, 'again')).toBe(false);
    expect(await events(paying)).toHaveLength(1);
  });
});

describe('a charge that is committed after its probe has ended', () => {
  /** A call that has asked for a probe and waits for its account, which another transaction has locked. */
  async function heldCall(account: Caller, email: string, requestId: string) {
    const { dataSource } = bench.database;
    const lock = dataSource.createQueryRunner();
    await lock.startTransaction('READ COMMITTED');
    await lock.query('SELECT 1 FROM account_balances WHERE account_id = ? FOR UPDATE', [idToBytes(account.accountId)]);
    const before = await askers();
    const answer = verify(account.live, email, requestId);
    expect(await waitUntil(async () => (await askers()) === before + 1, { ms: 30_000 })).toBe(true);
    return {
      pays: async () => {
        await lock.rollbackTransaction();
        await lock.release();
        expect(await answer).toMatchObject({ status: 200, body: { reason: 'verification_pending' } });
      },
    };
  }
  async function askers(): Promise<number> {
    const [row] = await bench.database.dataSource.query<{ n: string | null }[]>(
      'SELECT SUM(askers) AS n FROM pending_probes WHERE active = 1',
    );
    return Number(row!.n ?? 0);
  }
  const charges = (): Promise<unknown[]> => bench.database.dataSource.query('SELECT 1 FROM waiting_charges');
  const active = (): Promise<unknown[]> =>
    bench.database.dataSource.query('SELECT 1 FROM pending_probes WHERE active = 1');

  it('is told of the verdict', async () => {
    const [prompt, late] = [await listener(), await listener()];
    await verify(prompt.live, 'grace@company.example', 'prompt');
    const call = await heldCall(late, 'grace@company.example', 'late');
    await startWorker();
    expect(await awaited(prompt, 1)).toMatchObject([{ data: { request_ids: ['prompt'] } }]);
    expect(await events(late)).toEqual([]);
    await call.pays();
    const [told] = (await awaited(late, 1))!;
    expect(told).toMatchObject({ data: { request_ids: ['late'], email: 'grace@company.example', error: null } });
    expect(told!.data.result).toEqual((await events(prompt))[0]!.data.result);
    expect(await charges()).toEqual([]);
  });

  it('is refunded where there was none, and told', async () => {
    const [prompt, late] = [await listener(), await listener()];
    await verify(prompt.live, 'henry@company.example', 'prompt');
    const call = await heldCall(late, 'henry@company.example', 'late');
    const [probe] = await pendingOf(prompt.accountId);
    expect(await api.get(ProbeEndingsRepository, { strict: false }).fail(probe!, 'for a test')).toBe(true);
    await call.pays();
    expect(await awaited(late, 1)).toMatchObject([
      {
        data: {
          request_ids: ['late'],
          email: 'henry@company.example',
          error: 'verify_unavailable',
          refund: { credits: 1, free_verifies: 0 },
        },
      },
    ]);
    expect(await charges()).toEqual([]);
  });

  it('waits for a transaction that is ending the probe and has not seen the charge', async () => {
    const account = await listener();
    const call = await heldCall(account, 'iris@company.example', 'late');
    const { dataSource } = bench.database;
    const ending = dataSource.createQueryRunner();
    await ending.startTransaction('READ COMMITTED');
    await ending.query(
      "UPDATE pending_probes SET active = NULL, state = 'failed', ended_at = UTC_TIMESTAMP(3) WHERE active = 1",
    );
    await call.pays();
    expect(await charges()).toHaveLength(1);
    await ending.commitTransaction();
    await ending.release();
    expect(await awaited(account, 1)).toMatchObject([{ data: { request_ids: ['late'], error: 'verify_unavailable' } }]);
    expect([await charges(), await active()]).toEqual([[], []]);
  });

  it('is told by a worker if the process of the call has died', async () => {
    const account = await listener();
    const address = addressOf('joan@company.example');
    const vault = api.get(AddressVault, { strict: false });
    const hash = vault.hash(address);
    const probes = api.get(PendingProbesRepository, { strict: false });
    const wanted = { hash, address, mode: 'standard', urgency: 'single', newerThan: null } as const;
    const [probe] = await probes.addProbes([wanted]);
    await api.get(ProbeEndingsRepository, { strict: false }).record({
      ...recorded('joan@company.example', probeFacts()),
      hash,
      probeId: probe!.id,
    });
    expect(await active()).toEqual([]);
    const { dataSource } = bench.database;
    await dataSource.query(
      `INSERT INTO ledger_entries (account_id, kind, reference, addresses, purchased, gifted, free_verifies, month, created_at)
        VALUES (?, 'charge', 'single:joan', 1, -1, 0, 0, EXTRACT(YEAR_MONTH FROM UTC_TIMESTAMP()), UTC_TIMESTAMP(3))`,
      [idToBytes(account.accountId)],
    );
    await dataSource.query('UPDATE account_balances SET purchased = purchased - 1 WHERE account_id = ?', [
      idToBytes(account.accountId),
    ]);
    await dataSource.query(
      `INSERT INTO waiting_charges (waits_on, reference, part, credits, created_at, request_id)
        VALUES (?, 'single:joan', '0', 1, UTC_TIMESTAMP(3) - INTERVAL 61 SECOND, 'joan')`,
      [idToBytes(probe!.id)],
    );
    await dataSource.query('UPDATE pending_probes SET ended_at = ended_at - INTERVAL 61 SECOND WHERE id = ?', [
      idToBytes(probe!.id),
    ]);
    await startWorker();
    expect(await awaited(account, 1)).toMatchObject([
      { data: { request_ids: ['joan'], email: 'joan@company.example', error: null } },
    ]);
    const kept = (): Promise<unknown[]> =>
      dataSource.query('SELECT 1 FROM pending_probes WHERE id = ?', [idToBytes(probe!.id)]);
    expect(await waitUntil(async () => (await kept()).length === 0, { ms: 30_000 })).toBe(true);
  });
});
