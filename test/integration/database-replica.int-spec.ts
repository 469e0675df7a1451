import { Logger } from '@nestjs/common';
import type { DatabaseTarget } from '../../src/platform/config/database-url.js';
import type { Replica } from '../../src/platform/database/replica/replica.js';
import { attachReplica, staleRows, staleSnapshot } from '../../src/platform/database/replica/stale-reads.js';
import { statement } from '../../src/platform/database/statement.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

Logger.overrideLogger(false);

/** Another database stands for the replica: who answers can be told, and how far it is can be set. */
let primary: MigratedDatabase;
let other: MigratedDatabase;
let link: BreakableLink;
let linked: DatabaseTarget;
let replica: Replica;

beforeAll(async () => {
  [primary, other] = [await createMigratedDatabase(), await createMigratedDatabase()];
  link = await breakableLink(other.target);
  linked = { ...other.target, host: '127.0.0.1', port: link.port };
});
beforeEach(() => link.restore());
afterEach(() => replica.close());
afterAll(async () => {
  await link.close();
  await Promise.all([primary.drop(), other.drop()]);
});

const beat = (figure: number) => other.dataSource.query('UPDATE replica_beats SET beat = ?', [figure]);
/** Which database answers. */
const answers = async () => {
  const [row] = await staleRows<{ name: string }>(primary.dataSource, statement`SELECT DATABASE() AS name`);
  const name = await staleSnapshot(primary.dataSource, async (snapshot) => {
    const [read] = await snapshot.query<{ name: string }[]>('SELECT DATABASE() AS name');
    return read!.name;
  });
  expect(name).toBe(row!.name);
  return name === other.target.database ? 'replica' : 'primary';
};

it('goes to a replica that follows', async () => {
  await beat(1_000_000);
  replica = attachReplica(primary.dataSource, linked);
  expect(await answers()).toBe('replica');
});

it('goes to the primary where the replica is late', async () => {
  await beat(0);
  replica = attachReplica(primary.dataSource, linked);
  expect(await answers()).toBe('primary');
});

it('goes to the primary where the replica is away, from the start or later', async () => {
  await beat(1_000_000);
  await link.cut();
  replica = attachReplica(primary.dataSource, linked);
  expect(await answers()).toBe('primary');
  await replica.close();

  await link.restore();
  replica = attachReplica(primary.dataSource, linked);
  expect(await answers()).toBe('replica');
  await link.cut();
  expect(await answers()).toBe('primary');
});

it('tells a fault of the statement as it is', async () => {
  await beat(1_000_000);
  replica = attachReplica(primary.dataSource, linked);
  await expect(staleRows(primary.dataSource, statement`SELECT nothing`)).rejects.toThrow('Unknown column');
});
