import { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { DecisionCountsRepository } from '../../src/billing/decisions/decision-counts.repository.js';
import { freeAnswersName } from '../../src/billing/idempotency/free-answers.js';
import { IdempotencyRepository } from '../../src/billing/idempotency/idempotency.repository.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { UsageCounter } from '../../src/billing/usage/usage-counter.js';
import { UsageCountsRepository } from '../../src/billing/usage/usage-counts.repository.js';
import { ListsRepository } from '../../src/console/lists/lists.repository.js';
import { UserManagementRepository } from '../../src/console/people/user-management.repository.js';
import { insertSession } from '../../src/console/session/session.repository.js';
import { hashToken, newToken } from '../../src/console/session/token.js';
import { CrawlCountsRepository } from '../../src/domains/store/crawl-counts.repository.js';
import { dailyEventsName } from '../../src/guard/events/daily-events.js';
import { GuardEventsRepository } from '../../src/guard/events/guard-events.repository.js';
import { PropertiesRepository } from '../../src/guard/properties/properties.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { DailyAmounts } from '../../src/platform/redis/daily-amounts.js';
import { TextSealer } from '../../src/platform/sealing/text-sealer.js';
import { DeliveriesRepository } from '../../src/webhooks/deliveries/deliveries.repository.js';
import { OutboxRepository } from '../../src/webhooks/outbox/outbox.repository.js';
import { chargeOf, makeAccount } from './billing-support.js';
import { submitJobRows } from './job-support.js';
import { pendingParts, wanted } from './pending-support.js';

/** What a test keeps of an account. */
export interface FurnishedAccount {
  readonly id: string;
  /** Everything that names it or is its own. */
  readonly ids: readonly string[];
}

/** Stay, without anything of what they were about. */
const KEPT = new Set(['audit_log.account_id', 'ledger_closings.account_id']);
const OLD_MONTHS = ["'2026-08-10 00:00:00.000'", "'2026-09-10 00:00:00.000'"];

/** An account of which every table has something that tells of one. `name` makes its addresses its own. */
export async function furnish(
  dataSource: DataSource,
  { batcher, redisUrl, name }: { readonly batcher: ChargeBatcher; readonly redisUrl: string; readonly name: string },
): Promise<FurnishedAccount> {
  const id = await makeAccount(dataSource);
  for (const now of [...OLD_MONTHS, undefined]) {
    const grant = { accountId: id, credits: 50, kind: 'purchased', reference: `invoice:${newId()}` } as const;
    await new LedgerRepository(dataSource, now).grant(grant, 'test');
  }
  const keys = new KeyManagementService(new ApiKeyRepository(dataSource), { keys: { prefix: 'mv' } });
  const [live, test] = [await keys.create(id, 'live', name, 'test'), await keys.create(id, 'test', null, 'test')];
  await keys.rotate(live!.id, 3600, 'test');
  const jobs = await furnishJobs(dataSource, id, name);
  await furnishList(dataSource, id, name, jobs[0]!);
  const { probes } = await furnishProbes(dataSource, batcher, id, name);
  const properties = new PropertiesRepository(dataSource);
  await properties.insert(id, { key: `site_${newId()}`, name }, 'test');
  const [property] = await properties.list(id);
  const event = {
    domain: `${name}.example`,
    verdict: 'valid',
    action: 'allow',
    source: 'remote',
    degraded: false,
    reasons: [],
    integration: name,
    lib_version: null,
    spec_version: null,
  };
  for (const sandbox of [false, true]) {
    const attributed = { event: event as never, propertyId: property!.id };
    await new GuardEventsRepository(dataSource).insert({ accountId: id, sandbox }, [attributed]);
  }
  await new DecisionCountsRepository(dataSource).take(id, 202611, 1, null);
  await new CrawlCountsRepository(dataSource).admit(new Map([[`${name}.example`, id]]));
  await furnishSums(dataSource, id, live!.id);
  await furnishAnswer(dataSource, id, name);
  await countToday(redisUrl, id);
  const user = await furnishPeople(dataSource, id, name);
  const webhook = await furnishWebhook(dataSource, id, name);
  return { id, ids: [id, user, webhook, live!.id, test!.id, property!.id, ...jobs, ...probes] };
}

/** An endpoint with a delivery that waits. @returns the endpoint's id */
async function furnishWebhook(dataSource: DataSource, accountId: string, name: string): Promise<string> {
  const sealer = new TextSealer([{ id: 1, key: 'a-secret-of-this-test' }]);
  const id = newId();
  await dataSource.query(
    `INSERT INTO webhook_endpoints (id, account_id, mode, url, events, secret, created_at)
      VALUES (?, ?, 'live', ?, 'job.completed', '', UTC_TIMESTAMP(3))`,
    [idToBytes(id), idToBytes(accountId), `https://${name}.example/hook`],
  );
  await new DeliveriesRepository(dataSource, new OutboxRepository(sealer)).insertTest(
    { endpointId: id, accountId },
    'operator:test',
  );
  return id;
}

/** A member of this account alone, with a link, a session and a recovery code. @returns the user's id */
async function furnishPeople(dataSource: DataSource, accountId: string, name: string): Promise<string> {
  const member = { email: `${name}@person.example`, role: 'owner', linkSha256: hashToken(newToken())! } as const;
  const users = new UserManagementRepository(dataSource);
  const actor = { name: 'test', address: '192.0.2.1' };
  const created = await users.create(accountId, member, actor, async () => undefined);
  if (created.kind !== 'added') throw new Error(`a test could not make a user: ${created.kind}`);
  const { userId } = created;
  // Somebody who stays is invited.
  const operator = { email: `${newId()}@operator.example`, role: null, isOperator: true };
  await users.create(null, { ...operator, linkSha256: hashToken(newToken())! }, actor, async () => undefined);
  const invited = { ...operator, role: 'viewer', linkSha256: hashToken(newToken())! } as const;
  await users.create(accountId, invited, actor, async () => undefined);
  const session = { id: newId(), userId, stage: 'full', lifeSeconds: 60, address: null, userAgent: name } as const;
  await insertSession(dataSource.manager, { ...session, tokenSha256: hashToken(newToken())! });
  const user = idToBytes(userId);
  await dataSource.query('INSERT INTO recovery_codes (user_id, code_sha256) VALUES (?, ?)', [
    user,
    Buffer.alloc(32, 1),
  ]);
  await dataSource.query('UPDATE users SET last_account_id = ? WHERE id = ?', [idToBytes(accountId), user]);
  return userId;
}

/** Jobs in each state, two of them being worked on. @returns their ids */
async function furnishJobs(dataSource: DataSource, accountId: string, name: string): Promise<string[]> {
  const states = [
    ['processing', 'new', null],
    ['processing', 'planned', 'due'],
    ['processing', 'planned', 'done'],
    ['processing', 'shaping', 'done'],
    ['completed', 'done', 'done'],
  ] as const;
  const ids: string[] = [];
  for (const [status, stage, chunk] of states) {
    const id = await submitJobRows(dataSource, accountId, [`${name}.one@company.example`, 'no address']);
    ids.push(id);
    await dataSource.query(
      `UPDATE jobs SET status = ?, stage = ?, completed_at = IF(? = 'completed', UTC_TIMESTAMP(3), NULL) WHERE id = ?`,
      [status, stage, status, idToBytes(id)],
    );
    if (chunk === null) continue;
    await dataSource.query(
      `INSERT INTO job_chunks (job_id, number, group_name, kind, state, priority, due_at, queued_at, holder)
        VALUES (?, 0, 'mx.example', 'first', ?, 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?)`,
      [idToBytes(id), chunk, chunk === 'due' ? idToBytes(newId()) : null],
    );
    await dataSource.query('UPDATE job_entries SET chunk = 0 WHERE job_id = ? AND sent IS NOT NULL', [idToBytes(id)]);
  }
  await dataSource.query('UPDATE jobs SET sandbox = 1 WHERE id = ?', [idToBytes(ids.at(-1)!)]);
  return ids;
}

/** A list of one part. */
async function furnishList(dataSource: DataSource, accountId: string, name: string, jobId: string): Promise<void> {
  const lists = new ListsRepository(dataSource);
  const id = newId();
  const list = { id, accountId, name, fileName: `${name}.csv`, mode: 'standard', parts: 1, total: 2 } as const;
  await lists.insert({ ...list, createdBy: null }, 'operator:test');
  const part = { listId: id, number: 1, jobId, content: Buffer.alloc(32), total: 2 };
  await dataSource.transaction((transaction) => lists.insertPartWithin(transaction, part));
}

/** Probes that nobody else waits for. @returns their ids */
async function furnishProbes(dataSource: DataSource, batcher: ChargeBatcher, accountId: string, name: string) {
  const { pending } = pendingParts(dataSource);
  const added = await pending.addProbes(
    ['ada', 'bob'].map((local) => wanted(`${local}@${name}.example`, { accountId })),
  );
  for (const { id } of added) await waitOn(batcher, accountId, id);
  return { probes: added.map(({ id }) => id) };
}

/** A call of an account that is charged, and waits on a probe. */
export async function waitOn(batcher: ChargeBatcher, accountId: string, probe: string): Promise<void> {
  const waiting = [{ waitsOn: probe, part: '0', credits: 1 }];
  const { kind } = await batcher.charge(chargeOf(accountId, { waiting }), () => false);
  if (kind !== 'charged') throw new Error(`a test could not be charged: ${kind}`);
}

/** What is added up of its calls. */
async function furnishSums(dataSource: DataSource, accountId: string, keyId: string): Promise<void> {
  const usage = new UsageCounter(new UsageCountsRepository(dataSource));
  usage.count({ accountId, keyId }, 'single', 'valid');
  await usage.flush();
  const id = idToBytes(accountId);
  await dataSource.query(
    `INSERT INTO ledger_chunks (account_id, number, from_id, through_id, first_at, last_at, grants, charges, refunds, credits_after)
      VALUES (?, 0, 0, 1, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 0, 1, 0, 10)`,
    [id],
  );
  await dataSource.query('INSERT INTO ledger_audit_points VALUES (?, 0, 1, -1, 0, 202611, 0)', [id]);
  await dataSource.query(
    `INSERT INTO ledger_days (account_id, day, kind, endpoint, key_id, month, addresses, credits, free_verifies)
      VALUES (?, UTC_DATE(), 'charge', 'single', ?, 202611, 1, -1, 0)`,
    [id, idToBytes(keyId)],
  );
}

async function furnishAnswer(dataSource: DataSource, accountId: string, name: string): Promise<void> {
  const records = new IdempotencyRepository(dataSource);
  const hash = Buffer.alloc(32, 1);
  const scope = Buffer.from(`${accountId}${name}`.padEnd(32).slice(0, 32));
  const taken = await records.acquire(scope, accountId, hash, idToBytes(newId()));
  if (taken.kind !== 'acquired') throw new Error('a test could not keep an answer');
  const body = Buffer.from(JSON.stringify({ email: `${name}@company.example` }));
  await records.storeAnswer(taken.lease, { status: 200, headers: null, body }, 24);
}

function dailyNames(accountId: string): string[] {
  return (['live', 'test'] as const).flatMap((mode) => [
    dailyEventsName(accountId, mode),
    freeAnswersName(accountId, mode),
  ]);
}

async function countToday(redisUrl: string, accountId: string): Promise<void> {
  const redis = new Redis(redisUrl);
  const amounts = new DailyAmounts(redis);
  for (const name of dailyNames(accountId)) await amounts.add(name, 1, 1_000_000);
  redis.disconnect();
}

/** Of every column of ids, how many rows name one of these. */
export async function rowsNaming(dataSource: DataSource, ids: readonly string[]): Promise<Record<string, number>> {
  const columns = await dataSource.query<{ table_name: string; column_name: string }[]>(
    `SELECT TABLE_NAME AS table_name, COLUMN_NAME AS column_name FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = DATABASE() AND COLUMN_TYPE = 'binary(16)' ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  );
  const found: Record<string, number> = {};
  for (const { table_name, column_name } of columns) {
    const [row] = await dataSource.query<{ n: string }[]>(
      `SELECT COUNT(*) AS n FROM ${table_name} WHERE ${column_name} IN (?)`,
      [ids.map(idToBytes)],
    );
    found[`${table_name}.${column_name}`] = Number(row!.n);
  }
  return found;
}

/** Of every column of texts, those where one stands somewhere. */
export async function columnsHolding(dataSource: DataSource, text: string): Promise<string[]> {
  const columns = await dataSource.query<{ table_name: string; column_name: string }[]>(
    `SELECT TABLE_NAME AS table_name, COLUMN_NAME AS column_name FROM information_schema.COLUMNS
      WHERE TABLE_SCHEMA = DATABASE() AND (DATA_TYPE LIKE '%char' OR DATA_TYPE LIKE '%text' OR DATA_TYPE LIKE '%blob' OR DATA_TYPE = 'json')`,
  );
  const found: string[] = [];
  for (const { table_name, column_name } of columns) {
    const rows = await dataSource.query<unknown[]>(
      `SELECT 1 FROM ${table_name} WHERE INSTR(CONVERT(${column_name} USING utf8mb4), ?) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(`${table_name}.${column_name}`);
  }
  return found;
}

/** What is left of an account, where nothing should be. */
export async function leftOf(
  dataSource: DataSource,
  redisUrl: string,
  { id, ids }: FurnishedAccount,
): Promise<unknown> {
  const named = Object.entries(await rowsNaming(dataSource, ids)).filter(
    ([column, count]) => count > 0 && !KEPT.has(column),
  );
  const told = await dataSource.query<unknown[]>(
    'SELECT action FROM audit_log WHERE account_id = ? AND (subject IS NOT NULL OR details IS NOT NULL OR address IS NOT NULL)',
    [idToBytes(id)],
  );
  const redis = new Redis(redisUrl);
  const counted = await redis.exists(...dailyNames(id).map((name) => `mailvet:day:{${name}}`));
  redis.disconnect();
  return { named: Object.fromEntries(named), told, counted };
}
export const NOTHING = { named: {}, told: [], counted: 0 };

export async function closingsOf(dataSource: DataSource, accountId: string) {
  const rows = await dataSource.query<Record<string, string | number>[]>(
    'SELECT month, purchased, gifted FROM ledger_closings WHERE account_id = ? ORDER BY month',
    [idToBytes(accountId)],
  );
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])));
}

/** The call that deletes it does not wait. */
export async function suspendLongAgo(dataSource: DataSource, accountId: string): Promise<void> {
  await dataSource.query('UPDATE accounts SET suspended_at = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR WHERE id = ?', [
    idToBytes(accountId),
  ]);
}
