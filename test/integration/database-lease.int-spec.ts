import type { DataSource } from 'typeorm';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { LeaseHeld, withLease } from '../../src/platform/database/lease.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { waitUntil } from '../support/wait-until.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openDatabase(parseDatabaseUrl(database.url)!, { poolSize: 10 });
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const rows = () => dataSource.query<{ name: string }[]>('SELECT name FROM leases');
const never = () => new Promise<never>(() => undefined);

it('lets one process work at a time, also where none has made the table yet', async () => {
  let working = 0;
  const most = await Promise.all(
    Array.from({ length: 5 }, () =>
      withLease(dataSource, 'turns', { waitMs: 60_000 }, async () => {
        working++;
        await dataSource.query('DO SLEEP(0.05)');
        return working--;
      }),
    ),
  );
  expect(most).toEqual([1, 1, 1, 1, 1]);
  expect(await rows()).toEqual([]);
});

it('gives up on a lease that is held all the time, and is renewed', async () => {
  const outcome = await withLease(dataSource, 'held', { waitMs: 0, lastsMs: 2000 }, (lost) =>
    withLease(dataSource, 'held', { waitMs: 3000 }, never).catch((error: unknown) => [error, lost.aborted]),
  );
  expect(outcome).toEqual([expect.any(LeaseHeld), false]);
});

it('takes the lease of a process that is gone once it has expired', async () => {
  await dataSource.query(
    "INSERT INTO leases VALUES ('gone', REPEAT('x', 16), UTC_TIMESTAMP(3) + INTERVAL 400000 MICROSECOND)",
  );
  const lease = { waitMs: 30_000, lastsMs: 600 };
  await expect(withLease(dataSource, 'gone', lease, async () => 'taken')).resolves.toBe('taken');
});

it('leaves the lease to a holder whose renewals were held up', async () => {
  await dataSource.query("INSERT INTO leases VALUES ('late', REPEAT('x', 16), UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE)");
  const other = withLease(dataSource, 'late', { waitMs: 3000, lastsMs: 60_000 }, async () => 'taken');
  const outcome = other.catch((error: unknown) => error);
  const isExtended = async (): Promise<boolean> => {
    const [row] = await dataSource.query<{ n: string }[]>(
      "SELECT COUNT(*) AS n FROM leases WHERE name = 'late' AND expires_at > UTC_TIMESTAMP(3)",
    );
    return Number(row!.n) === 1;
  };
  expect(await waitUntil(isExtended, { ms: 30_000 })).toBe(true);
  await dataSource.query(
    "UPDATE leases SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE WHERE name = 'late' AND holder = REPEAT('x', 16)",
  );
  expect(await outcome).toBeInstanceOf(LeaseHeld);
  await dataSource.query("DELETE FROM leases WHERE name = 'late'");
});

it('tells the work that its lease has gone to another process', async () => {
  const lost = await withLease(dataSource, 'stolen', { waitMs: 0, lastsMs: 300 }, async (signal) => {
    const told = new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(true)));
    await dataSource.query("UPDATE leases SET holder = REPEAT('x', 16) WHERE name = 'stolen'");
    return told;
  });
  expect(lost).toBe(true);
  expect(await rows()).toEqual([{ name: 'stolen' }]);
});

it('does not call a lease lost that it has released itself', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const renewals: Promise<unknown>[] = [];
  // Renewals reach the server after the release, as they may on connections of their own.
  const late = new Proxy(dataSource, {
    get: (source, name) =>
      name === 'query' ? (sql: string, values: unknown[]) => query(sql, values) : Reflect.get(source, name),
  });
  async function query(sql: string, values: unknown[]): Promise<unknown> {
    if (!sql.startsWith('UPDATE')) return dataSource.query(sql, values);
    const renewal = released.then(() => dataSource.query(sql, values));
    renewals.push(renewal);
    return renewal;
  }
  const lost = await withLease(late, 'late', { waitMs: 0, lastsMs: 300 }, async (signal) => {
    await waitUntil(async () => renewals.length > 0, { ms: 30_000 });
    return signal;
  });
  release();
  await Promise.all(renewals);
  await new Promise(setImmediate);
  expect(lost.aborted).toBe(false);
});
