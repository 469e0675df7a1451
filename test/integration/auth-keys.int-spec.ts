import type { FastifyRequest } from 'fastify';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountService } from '../../src/auth/account.service.js';
import { generateApiKey, hashApiKey, parseApiKey } from '../../src/auth/api-key.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { ApiKeyGate } from '../../src/auth/api-key.gate.js';
import { MalformedKeyError, UnknownKeyError } from '../../src/auth/auth.errors.js';
import { callerOf, type Caller } from '../../src/auth/caller.js';
import { CallerDirectory } from '../../src/auth/caller-directory.js';
import { KeyLookupRepository } from '../../src/auth/key-lookup.repository.js';
import type { KeyUsage } from '../../src/auth/key-usage.js';
import { KeyManagementService, type IssuedKey } from '../../src/auth/key-management.service.js';
import type { AppConfig } from '../../src/platform/config/app-config.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

const ACTOR = 'operator:test';
const HOUR_MS = 3_600_000;

let database: MigratedDatabase;
let accounts: AccountRepository;
let accountService: AccountService;
let keys: ApiKeyRepository;
let lookup: KeyLookupRepository;
let management: KeyManagementService;
let accountId: string;

beforeAll(async () => {
  database = await createMigratedDatabase();
  accounts = new AccountRepository(database.dataSource);
  accountService = new AccountService(accounts);
  keys = new ApiKeyRepository(database.dataSource);
  lookup = new KeyLookupRepository(database.dataSource);
  management = new KeyManagementService(keys, { keys: { prefix: 'mv' } });
});
afterAll(() => database.drop());
beforeEach(async () => {
  accountId = await createAccount();
});

async function createAccount(plan = 'growth'): Promise<string> {
  const outcome = await accountService.create('Acme', plan, ACTOR);
  if (outcome.kind !== 'created') throw new Error('no such plan');
  return outcome.account.id;
}

async function createKey(account = accountId): Promise<IssuedKey> {
  const issued = await management.create(account, 'live', 'web', ACTOR);
  if (issued === null) throw new Error('no such account');
  return issued;
}

/** One process that authenticates, on a clock of its own; `reads` counts what it asked the database. */
function startProcess(): {
  authenticate: (key: string) => Promise<Caller | null>;
  clock: { now: number };
  touched: string[];
  reads: () => number;
} {
  const clock = { now: 0 };
  const touched: string[] = [];
  let reads = 0;
  const findInForce = (hashes: readonly string[]) => {
    reads++;
    return lookup.findInForce(hashes);
  };
  const directory = new CallerDirectory({ findInForce } as KeyLookupRepository, () => clock.now);
  const usage = { touch: (id: string) => void touched.push(id) } as KeyUsage;
  const gate = new ApiKeyGate(directory, usage, { keys: { prefix: 'mv' } } as AppConfig);
  const authenticate = async (key: string): Promise<Caller | null> => {
    const context = { responseHeaders: new Map() };
    const request = { headers: { 'x-api-key': key }, context } as unknown as FastifyRequest;
    await gate.admit(request).catch((error: unknown) => {
      if (!(error instanceof MalformedKeyError || error instanceof UnknownKeyError)) throw error;
    });
    return callerOf(request);
  };
  return { authenticate, clock, touched, reads: () => reads };
}

const audit = (action: string): Promise<{ account_id: Buffer; subject: string; actor: string; details: unknown }[]> =>
  database.dataSource.query('SELECT actor, account_id, subject, details FROM audit_log WHERE action = ? ORDER BY id', [
    action,
  ]);

describe('a key', () => {
  it('has its account, mode and plan', async () => {
    const { id, key } = await createKey();
    expect(parseApiKey(key, 'mv')).toEqual({ mode: 'live' });
    expect(await startProcess().authenticate(key)).toEqual({
      accountId,
      keyId: id,
      mode: 'live',
      plan: {
        name: 'growth',
        requestsPerMinute: 1200,
        freeVerifiesPerMonth: 10_000,
        guardDecisionsPerMonth: 250_000,
        jobsKept: 1000,
        addressesKept: 5_000_000,
        jobsProcessing: 20,
        crawlsPerDay: 50_000,
      },
    });
  });

  it('is created only for an existing account', async () => {
    expect(await management.create(newId(), 'live', null, ACTOR)).toBeNull();
  });

  it('is refused if it was never created, or differs in letter case', async () => {
    const { key } = await createKey();
    const { authenticate } = startProcess();
    expect(await authenticate(generateApiKey('mv', 'live'))).toBeNull();
    expect(await authenticate(key.toUpperCase())).toBeNull();
  });

  it('is read once for a thousand concurrent requests', async () => {
    const { key } = await createKey();
    const { authenticate, reads } = startProcess();
    const callers = await Promise.all(Array.from({ length: 1000 }, () => authenticate(key)));
    expect(new Set(callers.map((caller) => caller?.accountId))).toEqual(new Set([accountId]));
    expect(reads()).toBe(1);
  });

  it('is read in one query with others', async () => {
    const issued = await Promise.all(Array.from({ length: 60 }, () => createKey()));
    const { authenticate, reads } = startProcess();
    const callers = await Promise.all(issued.map(({ key }) => authenticate(key)));
    expect(callers.map((caller) => caller?.keyId)).toEqual(issued.map(({ id }) => id));
    expect(reads()).toBe(1);
  });

  it('is stored nowhere in clear', async () => {
    const issued = await createKey();
    const rotation = await management.rotate(issued.id, 60, ACTOR);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    const dump = await dumpAllTables();
    for (const { id, key } of [issued, rotation.successor]) {
      expect(dump).toContain(hashApiKey(key));
      expect(dump).toContain(id.replaceAll('-', ''));
      expect(dump).not.toContain(key);
      expect(dump).not.toContain(Buffer.from(key).toString('hex'));
      expect(dump).not.toContain(key.slice(8, -6));
    }
  });
});

describe('within 5 seconds on every process', () => {
  it('a revoked key is refused', async () => {
    const { id, key } = await createKey();
    const [busy, other] = [startProcess(), startProcess()];
    await Promise.all([busy.authenticate(key), other.authenticate(key)]);
    const revokedAt = await keys.revoke(id, ACTOR);
    expect(revokedAt).toBeInstanceOf(Date);
    for (const { clock, authenticate } of [busy, other]) {
      clock.now = 4999;
      expect(await authenticate(key)).toBeNull();
    }
  });

  it('the keys of a suspended account are refused, and of a resumed one are served', async () => {
    const { key } = await createKey();
    const { authenticate, clock } = startProcess();
    await authenticate(key);
    await accountService.setSuspended(accountId, true, ACTOR);
    clock.now = 4999;
    expect(await authenticate(key)).toBeNull();
    await accountService.setSuspended(accountId, false, ACTOR);
    clock.now = 9998;
    expect(await authenticate(key)).toMatchObject({ accountId });
  });

  it('a change of plan takes effect', async () => {
    const { key } = await createKey();
    const { authenticate, clock } = startProcess();
    await authenticate(key);
    expect(await accountService.setPlan(accountId, 'free', ACTOR)).toMatchObject({ kind: 'changed' });
    clock.now = 4999;
    expect(await authenticate(key)).toMatchObject({ plan: { name: 'free', requestsPerMinute: 60 } });
  });

  it('a new key works, even where it was tried before its creation', async () => {
    const { id, key } = await createKey();
    const stored = await database.dataSource.query('SELECT sha256 FROM api_keys WHERE id = UNHEX(?)', [
      id.replaceAll('-', ''),
    ]);
    await database.dataSource.query('UPDATE api_keys SET sha256 = ? WHERE sha256 = ?', [
      Buffer.alloc(32),
      stored[0].sha256,
    ]);
    const { authenticate, clock } = startProcess();
    expect(await authenticate(key)).toBeNull();
    await database.dataSource.query('UPDATE api_keys SET sha256 = ? WHERE sha256 = ?', [
      stored[0].sha256,
      Buffer.alloc(32),
    ]);
    clock.now = 4999;
    expect(await authenticate(key)).toMatchObject({ keyId: id });
  });
});

describe('an expired key', () => {
  it('is refused from that moment, even where it is cached', async () => {
    const { id, key } = await createKey();
    await database.dataSource.query(
      'UPDATE api_keys SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 3900000 MICROSECOND WHERE id = UNHEX(?)',
      [id.replaceAll('-', '')],
    );
    const { authenticate, clock, reads } = startProcess();
    expect(await authenticate(key)).toMatchObject({ keyId: id });
    clock.now = 3900;
    await authenticate(key);
    expect(reads()).toBe(2);
    await database.dataSource.query('UPDATE api_keys SET expires_at = UTC_TIMESTAMP(3) WHERE id = UNHEX(?)', [
      id.replaceAll('-', ''),
    ]);
    expect(await startProcess().authenticate(key)).toBeNull();
    expect(await keys.findById(id)).toMatchObject({ status: 'expired' });
  });
});

describe('a rotation', () => {
  it('creates a key with the same account, mode and name, and keeps the old one valid for the grace period', async () => {
    const old = await createKey();
    const before = Date.now();
    const rotation = await management.rotate(old.id, 24 * 3600, ACTOR);
    if (rotation.kind !== 'rotated') throw new Error(rotation.kind);
    expect(Math.abs(rotation.oldExpiresAt.getTime() - before - 24 * HOUR_MS)).toBeLessThan(60_000);
    const { authenticate } = startProcess();
    expect(await authenticate(old.key)).toMatchObject({ keyId: old.id });
    expect(await authenticate(rotation.successor.key)).toMatchObject({ keyId: rotation.successor.id, accountId });
    expect(await keys.findById(rotation.successor.id)).toMatchObject({ mode: 'live', name: 'web', expiresAt: null });
    expect(await keys.findById(old.id)).toMatchObject({ status: 'active', replacedBy: rotation.successor.id });
  });

  it('without a grace period ends the old key', async () => {
    const old = await createKey();
    const { authenticate, clock } = startProcess();
    await authenticate(old.key);
    await management.rotate(old.id, 0, ACTOR);
    clock.now = 4999;
    expect(await authenticate(old.key)).toBeNull();
    expect(await keys.findById(old.id)).toMatchObject({ status: 'expired' });
  });

  it('never extends a key that ends sooner', async () => {
    const old = await createKey();
    await database.dataSource.query(
      'UPDATE api_keys SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 60 SECOND WHERE id = UNHEX(?)',
      [old.id.replaceAll('-', '')],
    );
    const rotation = await management.rotate(old.id, 3600, ACTOR);
    expect(rotation).toMatchObject({ kind: 'rotated' });
    const { expiresAt } = (await keys.findById(old.id))!;
    expect(expiresAt!.getTime() - Date.now()).toBeLessThan(2 * 60_000);
  });

  it('happens once for concurrent calls', async () => {
    const old = await createKey();
    const outcomes = await Promise.all([1, 2, 3].map(() => management.rotate(old.id, 60, ACTOR)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['replaced', 'replaced', 'rotated']);
    expect(await keys.listOf(accountId)).toHaveLength(2);
  });

  it('is refused for an ended or unknown key', async () => {
    const old = await createKey();
    await keys.revoke(old.id, ACTOR);
    expect(await management.rotate(old.id, 60, ACTOR)).toEqual({ kind: 'ended', status: 'revoked' });
    expect(await management.rotate(newId(), 60, ACTOR)).toEqual({ kind: 'unknown' });
  });
});

describe('a revocation', () => {
  it('keeps the time of the first call', async () => {
    const { id } = await createKey();
    const first = await keys.revoke(id, ACTOR);
    expect(await keys.revoke(id, 'operator:other')).toEqual(first);
    expect((await audit('key.revoke')).filter(({ subject }) => subject === id)).toHaveLength(1);
    expect(await keys.revoke(newId(), ACTOR)).toBeNull();
  });
});

describe('the use of a key', () => {
  const lastUsed = async (id: string): Promise<Date | null> => (await keys.findById(id))!.lastUsedAt;

  it('is recorded, by many processes at most once in 50 seconds', async () => {
    const { id, key } = await createKey();
    const { authenticate, touched } = startProcess();
    expect(await lastUsed(id)).toBeNull();
    await authenticate(key);
    await lookup.noteUse(touched);
    const first = await lastUsed(id);
    expect(Math.abs(first!.getTime() - Date.now())).toBeLessThan(60_000);
    await lookup.noteUse([id]);
    expect(await lastUsed(id)).toEqual(first);
  });
});

describe('the audit log', () => {
  it('records operator, action and account, and no secret', async () => {
    const { id, key } = await createKey();
    const entry = (await audit('key.create')).find(({ subject }) => subject === id);
    expect(entry).toMatchObject({ actor: ACTOR, details: { mode: 'live', last_four: key.slice(-4) } });
    expect(entry?.account_id.toString('hex')).toBe(accountId.replaceAll('-', ''));
  });

  it('has a row for every change, and none for a change that failed', async () => {
    const account = await createAccount();
    await accountService.setPlan(account, 'scale', ACTOR);
    await accountService.setPlan(account, 'gold', ACTOR);
    await accountService.setSuspended(account, true, ACTOR);
    await accountService.setSuspended(account, true, ACTOR);
    await accountService.setSuspended(account, false, ACTOR);
    const rows = await database.dataSource.query<{ action: string }[]>(
      'SELECT action FROM audit_log WHERE account_id = UNHEX(?) ORDER BY id',
      [account.replaceAll('-', '')],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'account.create',
      'account.set-plan',
      'account.suspend',
      'account.resume',
    ]);
  });
});

it('an unknown plan is refused with the list of plans', async () => {
  expect(await accountService.create('Acme', 'gold', ACTOR)).toEqual({
    kind: 'unknown_plan',
    plans: ['free', 'starter', 'growth', 'scale'],
  });
});

/** All rows of all tables, binary columns in hex. */
async function dumpAllTables(): Promise<string> {
  const tables = await database.dataSource.query<{ name: string }[]>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  );
  const rows = await Promise.all(tables.map(({ name }) => database.dataSource.query(`SELECT * FROM \`${name}\``)));
  return JSON.stringify(rows, (_, value: unknown) => {
    const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
    return type === 'Buffer' && data !== undefined ? Buffer.from(data).toString('hex') : value;
  });
}
