import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EntityManager } from 'typeorm';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { PacketConnection } from '../../src/platform/database/packet-connection.js';
import { idFromBytes, idToBytes } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { EndpointsService } from '../../src/webhooks/endpoints/endpoints.service.js';
import { waitUntil } from '../support/wait-until.js';
import { ask, BillingBench } from './billing-api.js';

let bench: BillingBench;
let api: NestFastifyApplication;
let worker: NestFastifyApplication | undefined;
beforeAll(async () => {
  bench = await BillingBench.start();
  api = await bench.startApi();
});
afterAll(async () => {
  await worker?.close();
  await bench?.close();
});

/** How many rows came at once of those who wait and want to hear of it. */
function rowsOfAccounts(): () => Promise<number[]> {
  const asked = jest.spyOn(EntityManager.prototype, 'query');
  const sent = jest.spyOn(PacketConnection.prototype, 'send');
  return async () => {
    const answers = await Promise.all([
      ...asked.mock.results.map(async ({ value }) => [await (value as Promise<unknown>)]),
      ...sent.mock.results.map(({ value }) => value as Promise<unknown[]>),
    ]);
    const rows = answers.flat().filter((one): one is object[] => Array.isArray(one) && isAccount(one[0]));
    return rows.map(({ length }) => length);
  };
}
const isAccount = (row: unknown): boolean => typeof row === 'object' && row !== null && 'endpoint_id' in row;

it('a probe that thousands of calls wait on ends, and its event names a thousand of them', async () => {
  const account = await bench.newCaller('free-0', { purchased: 100 });
  const endpoints = api.get(EndpointsService, { strict: false });
  const wanted = {
    mode: 'live',
    url: 'https://hooks.example.com/',
    events: ['verification.completed'],
    low: null,
  } as const;
  for (let n = 0; n < 10; n++) await endpoints.create(account.accountId, wanted, 'test');
  await ask(api, account.live, {
    payload: JSON.stringify({ email: 'ada@company.example', async: true }),
    headers: { 'x-request-id': 'first' },
  });
  const { dataSource } = bench.database;
  const numbers = 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 125)';
  const reference = "CONCAT('single:', a.i, '-', b.i)";
  const columns =
    'account_id, kind, key_id, addresses, unit_price, purchased, gifted, free_verifies, month, created_at';
  await dataSource.query(
    `INSERT INTO ledger_entries (reference, ${columns}) ${numbers} SELECT ${reference}, ${columns}
      FROM ledger_entries l JOIN n a JOIN n b WHERE l.account_id = ? AND l.kind = 'charge'`,
    [idToBytes(account.accountId)],
  );
  await dataSource.query(
    `INSERT INTO waiting_charges (waits_on, reference, part, credits, created_at, request_id) ${numbers}
      SELECT waits_on, ${reference}, part, credits, created_at, RPAD(${reference}, 128, '.')
      FROM waiting_charges w JOIN n a JOIN n b WHERE w.request_id = 'first'`,
  );
  const inOrder = await dataSource.query<{ request_id: string }[]>(
    'SELECT request_id FROM waiting_charges ORDER BY reference LIMIT 1000',
  );
  const pages = rowsOfAccounts();
  const settings = loadConfig('worker', {
    DATABASE_URL: bench.database.url,
    REDIS_URL: bench.redisUrl,
    WORKER_QUEUES: 'smtp-probe',
    DNS_SERVERS: bench.lab.dnsServer,
    SMTP_PORT: String(bench.lab.smtpPort),
    SMTP_HELO_NAME: 'prober.example',
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_CHECK_DOMAINS: 'none',
  });
  worker = await createWorker(settings, createLog('silent'));
  await worker.init();
  const isOver = async () => (await dataSource.query<unknown[]>('SELECT 1 FROM waiting_charges LIMIT 1')).length === 0;
  expect(await waitUntil(isOver, { ms: 30_000 })).toBe(true);
  const deliveries = api.get(DeliveriesService, { strict: false });
  const sent = await dataSource.query<{ id: Buffer }[]>('SELECT id FROM webhook_deliveries');
  expect(sent).toHaveLength(10);
  const { body } = await deliveries.open({ accountId: account.accountId, id: idFromBytes(sent[0]!.id) });
  const { request_ids: told } = (JSON.parse(body!) as { data: { request_ids: string[] } }).data;
  expect(told).toEqual(inOrder.map(({ request_id: id }) => id));
  expect(Math.max(...(await pages()))).toBeLessThanOrEqual(10_000);
});
