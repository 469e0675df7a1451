import type { DataSource } from 'typeorm';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountDeletionRepository } from '../../src/auth/deletion/account-deletion.repository.js';
import { AccountDeletionService } from '../../src/auth/deletion/account-deletion.service.js';
import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { IdempotencyRepository } from '../../src/billing/idempotency/idempotency.repository.js';
import { AccountLedgerRepository } from '../../src/billing/ledger/account-ledger.repository.js';
import { LedgerClosingRepository } from '../../src/billing/ledger/ledger-closing.repository.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { StoredMeteredResponseRepository } from '../../src/billing/metering/stored-metered-response.repository.js';
import { AccountPeopleRepository } from '../../src/console/people/account-people.repository.js';
import { AccountGuardsRepository } from '../../src/guard/account-guards.repository.js';
import { JobRepository } from '../../src/jobs/job.repository.js';
import type { CommandContext } from '../../src/platform/cli/command-context.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { accountData } from '../../src/roles/account-data.js';
import { fault, json, shown } from '../support/cli.js';
import { AccountWebhooksRepository } from '../../src/webhooks/account-webhooks.repository.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import {
  closingsOf,
  columnsHolding,
  furnish,
  leftOf,
  NOTHING,
  rowsNaming,
  suspendLongAgo,
  waitOn,
} from './account-delete-support.js';
import { OPERATOR_ENTITIES } from '../../src/roles/operator-entities.js';
import { balanceOf, chargeOf, makeAccount, mismatches, openTestBatcher } from './billing-support.js';
import { pendingParts, wanted, waitingOn } from './pending-support.js';

let database: MigratedDatabase;
let redis: TestRedis;
let batcher: ChargeBatcher;
let closeBatcher: () => Promise<void>;
const { DATABASE_URL, REDIS_URL } = process.env;
beforeAll(async () => {
  [database, redis] = await Promise.all([createMigratedDatabase(), claimTestRedis()]);
  const opened = openTestBatcher(database.target);
  [batcher, closeBatcher] = [opened.batcher, () => opened.close()];
  Object.assign(process.env, { DATABASE_URL: database.url, REDIS_URL: redis.url });
});
afterAll(async () => {
  Object.assign(process.env, { DATABASE_URL, REDIS_URL });
  await closeBatcher?.();
  await redis?.release();
  await database?.drop();
});

const query = <T>(sql: string, values: unknown[] = []) => database.dataSource.query<T>(sql, values);
const make = (name: string) => furnish(database.dataSource, { batcher, redisUrl: redis.url, name });
const left = (account: Parameters<typeof leftOf>[2]) => leftOf(database.dataSource, redis.url, account);

/** Deletes it as an operator does, but for the wait. */
async function remove(id: string): Promise<void> {
  await suspendLongAgo(database.dataSource, id);
  expect(await json('account', 'delete', id, '--yes')).toEqual({ id, deleted: true });
}

describe('account delete', () => {
  it('without --yes lists what it would delete, and deletes nothing', async () => {
    const { id } = await make('asking');
    const said = await fault('account', 'delete', id);
    expect(said).toMatch(
      /^error: nothing was deleted\. This deletes the account "Acme" \(keys: 3, lists: 1, jobs: 5, /,
    );
    expect(said).toContain('waiting probes: 2');
    expect(said).toMatch(/cannot be undone\. To do it, type: .* account delete [0-9a-f-]{36} --yes$/);
    expect(await json('account', 'show', id)).toMatchObject({ id, suspended_at: null });
    expect(await fault('account', 'delete', newId())).toMatch(/no account has this id/);
    expect(await fault('account', 'delete', newId(), '--yes')).toMatch(/no account has this id/);
  });

  it('leaves only ledger closings and audit rows without values in any table', async () => {
    const [gone, stays] = [await make('departing'), await make('remaining')];
    const before = await rowsNaming(database.dataSource, stays.ids);
    const funds = await balanceOf(database.dataSource, gone.id);
    // A table with a column for accounts that has no row here is one that this test does not know yet.
    const ofAccounts = Object.entries(await rowsNaming(database.dataSource, [gone.id])).filter(
      ([column, count]) => column.endsWith('.account_id') && count === 0,
    );
    expect(ofAccounts).toEqual([['ledger_closings.account_id', 0]]);

    await remove(gone.id);
    expect(await left(gone)).toEqual(NOTHING);
    expect(await columnsHolding(database.dataSource, 'departing')).toEqual([]);
    expect(await rowsNaming(database.dataSource, stays.ids)).toEqual(before);
    expect(await mismatches(database.dataSource, stays.id)).toEqual([]);
    const closings = await closingsOf(database.dataSource, gone.id);
    expect(closings.map(({ month }) => month)).toEqual([202608, 202609, funds['month']]);
    expect(closings.at(-1)).toMatchObject({ purchased: funds['purchased'], gifted: funds['gifted'] });
    const acts = await query<{ action: string }[]>('SELECT action FROM audit_log WHERE account_id = ? ORDER BY id', [
      idToBytes(gone.id),
    ]);
    expect(acts.at(-1)).toEqual({ action: 'account.delete' });
    expect(await json('ledger', 'audit', '--full')).toMatchObject({ mismatches: [] });
    expect(await fault('account', 'show', gone.id)).toMatch(/no account has this id/);
    // Once more is the same as once.
    expect(await shown('account', 'delete', gone.id, '--yes')).toMatch(/^The account and its data are deleted/);
    expect(await closingsOf(database.dataSource, gone.id)).toEqual(closings);
  });

  it('keeps a probe that another account waits for, and its charges', async () => {
    const [gone, stays] = [await make('sharing'), await makeAccount(database.dataSource, { purchased: 10 })];
    const parts = pendingParts(database.dataSource);
    const ask = async (local: string, accountId: string): Promise<string> => {
      const [added] = await parts.pending.addProbes([wanted(`${local}@shared.example`, { accountId })]);
      return added!.id;
    };
    const both = await ask('both', gone.id);
    await ask('both', stays);
    for (const account of [gone.id, stays]) await waitOn(batcher, account, both);
    const theirs = await ask('theirs', stays);
    await ask('theirs', gone.id);
    for (const account of [gone.id, stays]) await waitOn(batcher, account, theirs);
    // Their call is on its way to its charge.
    const asked = await ask('asked', gone.id);
    await ask('asked', stays);
    await waitOn(batcher, gone.id, asked);
    // Theirs was not charged.
    const unpaid = await ask('unpaid', stays);
    await ask('unpaid', gone.id);
    await parts.pending.dropUnpaid([unpaid]);
    await waitOn(batcher, gone.id, unpaid);
    const failed = await ask('failed', gone.id);
    await waitOn(batcher, gone.id, failed);
    await parts.endings.fail(failed, 'a test');

    await remove(gone.id);
    expect(await left(gone)).toEqual(NOTHING);
    const owners = await query<{ id: Buffer; account_id: Buffer | null }[]>(
      'SELECT id, account_id FROM pending_probes',
    );
    const ownerOf = (probe: string) => owners.find(({ id }) => id.equals(idToBytes(probe)))?.account_id;
    expect([both, asked, failed, unpaid].map(ownerOf)).toEqual([null, null, null, undefined]);
    expect(ownerOf(theirs)).toEqual(idToBytes(stays));
    expect(await waitingOn(database.dataSource, asked)).toBe(0);
    for (const probe of [both, theirs]) {
      expect(await waitingOn(database.dataSource, probe)).toBe(1);
      expect(await parts.endings.fail(probe, 'a test')).toBe(true);
      expect(await waitingOn(database.dataSource, probe)).toBe(0);
    }
    expect(await balanceOf(database.dataSource, stays)).toMatchObject({ purchased: 10 });
    expect(await mismatches(database.dataSource, stays)).toEqual([]);
  });

  it('closes ledger rows that came after the closing of their month', async () => {
    const { dataSource } = database;
    const id = await makeAccount(dataSource);
    const grant = (credits: number, now: string) =>
      new LedgerRepository(dataSource, now).grant(
        { accountId: id, credits, kind: 'gifted', reference: `late:${newId()}` },
        'test',
      );
    const closings = new LedgerClosingRepository(dataSource);
    await grant(5, "'2026-08-10 00:00:00.000'");
    await closings.close(id, 202608);
    await closings.close(id, 202610);
    // Given back in the month that was paid in.
    await grant(7, "'2026-08-11 00:00:00.000'");
    expect(await mismatches(dataSource, id)).toEqual([]);
    await remove(id);
    expect(await closingsOf(dataSource, id)).toEqual([
      { month: 202608, purchased: 0, gifted: 5 },
      { month: 202610, purchased: 0, gifted: 12 },
    ]);
  });

  it('refuses charges of the account meanwhile, and of no other', async () => {
    const [gone, stays] = [await make('busy'), await makeAccount(database.dataSource, { purchased: 1000 })];
    const end = new AbortController();
    const charge = async (account: string): Promise<string> => {
      const charging = batcher.charge(
        chargeOf(account, { price: { addresses: 1, credits: 0, unitPrice: 0 } }),
        () => false,
      );
      return (await charging.catch(() => ({ kind: 'refused' }))).kind;
    };
    const customers = [gone.id, stays].map(async (account) => {
      const kinds = new Set<string>();
      while (!end.signal.aborted) kinds.add(await charge(account));
      return kinds;
    });
    await remove(gone.id);
    end.abort();
    const [, theirs] = await Promise.all(customers);
    expect([...theirs!]).toEqual(['charged']);
    expect(await charge(gone.id)).toBe('refused');
    await json('account', 'delete', gone.id, '--yes');
    expect(await left(gone)).toEqual(NOTHING);
    expect(await json('ledger', 'audit', '--full')).toMatchObject({ mismatches: [] });
  });
});

it('a job that is submitted during the deletion is not stored, not even a free one', async () => {
  const { dataSource } = database;
  const id = await makeAccount(dataSource);
  await remove(id);
  const { config } = loadConfig('api', { DATABASE_URL: database.url, REDIS_URL: redis.url });
  const [ledger, idempotency] = [new LedgerRepository(dataSource), new IdempotencyRepository(dataSource)];
  const entries = { sent: 'ada@company.example', unitPrice: 0, result: null };
  const jobId = newId();
  const submit = new StoredMeteredResponseRepository(dataSource, ledger, idempotency, config).commit({
    accountId: id,
    store: (transaction) => new JobRepository(dataSource).insertEntriesWithin(transaction, jobId, [entries]),
    storeHeld: async () => undefined,
    charge: null,
    answer: null,
    isGone: () => false,
  });
  await expect(submit).rejects.toThrow(/the account to lock does not exist/);
  expect(await query('SELECT position FROM job_entries WHERE job_id = ?', [idToBytes(jobId)])).toEqual([]);
});

describe('a killed deletion', () => {
  /** Runs a deletion that dies before its n-th act on the database. @returns false when it came to its end before */
  async function killedBefore(act: number, id: string): Promise<boolean> {
    const dataSource = dyingBefore(act, await openDatabase(database.target, { entities: OPERATOR_ENTITIES }));
    const closing: (() => Promise<void>)[] = [];
    const settings = loadConfig('cli', { DATABASE_URL: database.url, REDIS_URL: redis.url });
    const context = {
      database: async () => dataSource,
      settings: async () => settings,
      onClose: (close) => void closing.push(close),
      say: () => undefined,
    } as Partial<CommandContext> as CommandContext;
    const service = new AccountDeletionService({
      accounts: new AccountRepository(dataSource),
      deletion: new AccountDeletionRepository(dataSource),
      data: await accountData(context),
      wait: async () => undefined,
    });
    try {
      await service.delete(id, 'test');
      return false;
    } catch (error) {
      expect(String(error)).toContain('killed');
      return true;
    } finally {
      for (const close of closing) await close();
      await dataSource.destroy();
    }
  }

  it('leaves a consistent ledger at any point, and is finished by the next run', async () => {
    const account = await make('killed');
    const accounts = new AccountRepository(database.dataSource);
    const kills = { before: 0, after: 0 };
    // Each of them comes a little further, and begins anew where the account itself is gone.
    for (let act = 1; await killedBefore(act, account.id); act += 1) {
      const when = (await accounts.findById(account.id)) === null ? 'after' : 'before';
      if (when === 'after' && kills.after === 0) act = 0;
      kills[when] += 1;
      expect(await mismatches(database.dataSource, account.id)).toEqual([]);
    }
    expect(Math.min(kills.before, kills.after)).toBeGreaterThan(5);
    expect(await left(account)).toEqual(NOTHING);
    expect((await closingsOf(database.dataSource, account.id)).length).toBe(3);
    expect(await json('ledger', 'audit', '--full')).toMatchObject({ mismatches: [] });
  });

  it('is finished by the command, even if the account row is gone already', async () => {
    const account = await make('halfway');
    const { dataSource } = database;
    const deletion = new AccountDeletionRepository(dataSource);
    const ledger = new AccountLedgerRepository(dataSource, new LedgerClosingRepository(dataSource));
    const within = [
      ledger,
      new AccountGuardsRepository(dataSource),
      new AccountPeopleRepository(dataSource),
      new AccountWebhooksRepository(dataSource),
    ];
    await deletion.delete(account.id, within, 'test');
    expect(await fault('account', 'show', account.id)).toMatch(/no account has this id/);
    expect(await json('account', 'delete', account.id, '--yes')).toEqual({ id: account.id, deleted: true });
    expect(await left(account)).toEqual(NOTHING);
  });
});

/** A statement or a transaction is an act: one that is not committed never was. */
function dyingBefore(act: number, dataSource: DataSource): DataSource {
  let acts = 0;
  return new Proxy(dataSource, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name === 'query' || name === 'sql' || name === 'transaction') acts += 1;
        return acts >= act && name !== 'destroy' ? Promise.reject(new Error('killed')) : value.apply(target, given);
      };
    },
  });
}
