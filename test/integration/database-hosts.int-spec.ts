import type { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../../src/platform/config/database-url.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { isConnectionLost } from '../../src/platform/database/database-errors.js';
import { hostsOf } from '../../src/platform/database/hosts/database-hosts.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { PacketConnection } from '../../src/platform/database/packet-connection.js';
import { askPool } from '../../src/platform/database/ask-pool.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { waitUntil } from '../support/wait-until.js';

/** Two ways to one server, which look like two servers that can be written to. */
let database: TestDatabase;
let links: [BreakableLink, BreakableLink];
let target: DatabaseTarget;
let open: DataSource | null = null;

beforeAll(async () => {
  database = await createTestDatabase();
  const server = parseDatabaseUrl(database.url)!;
  links = [await breakableLink(server), await breakableLink(server)];
});
beforeEach(() => {
  const [first, second] = links;
  const url = new URL(database.url);
  // The target is the key of what is known about its hosts: each test begins without any knowledge.
  target = parseDatabaseUrl(
    `mysql://${url.username}:${url.password}@127.0.0.1:${first.port},127.0.0.1:${second.port}${url.pathname}`,
  )!;
});
afterEach(async () => {
  await open?.destroy();
  open = null;
  await Promise.all(links.map((link) => link.cut()));
});
afterAll(async () => {
  await Promise.all(links.map((link) => link.close()));
  await database.drop();
});

const one = () => askPool<unknown[]>(open!, 'SELECT 1 AS one', []);
const answers = () =>
  one().then(
    () => true,
    () => false,
  );

it('connects to the host that can be written to, and moves to another when it is gone', async () => {
  const said: unknown[] = [];
  hostsOf(target)!.onChange = (what) => said.push(what);
  await links[1].restore();
  open = await openDatabase(target);
  await expect(one()).resolves.toHaveLength(1);

  await links[1].cut();
  await links[0].restore();
  expect(await waitUntil(answers, { ms: 60_000 })).toBe(true);
  expect(said).toContainEqual({ host: `127.0.0.1:${links[1].port}` });
  expect(said.at(-1)).toEqual({ host: `127.0.0.1:${links[0].port}` });
});

it('waits for a host instead of failing at once', async () => {
  const opening = openDatabase(target);
  await links[0].restore();
  open = await opening;
  await expect(one()).resolves.toHaveLength(1);
});

it('refuses two hosts that can be written to', async () => {
  await Promise.all(links.map((link) => link.restore()));
  const error = await openDatabase(target).catch((caught: unknown) => caught);
  expect(isConnectionLost(error)).toBe(true);
  expect((error as Error).message).toContain(
    `split brain: 127.0.0.1:${links[0].port} and 127.0.0.1:${links[1].port} can be written to`,
  );
});

it('ends all connections when a second host can be written to, until one is left', async () => {
  await links[0].restore();
  open = await openDatabase(target);
  const sleeping = open.query('SELECT SLEEP(30)').catch((error: unknown) => error);
  await links[1].restore();
  expect(isConnectionLost(await sleeping)).toBe(true);
  expect(await answers()).toBe(false);
  await links[0].cut();
  expect(await waitUntil(answers, { ms: 60_000 })).toBe(true);
});

it('holds nothing open once its connections are closed', async () => {
  await links[0].restore();
  const dataSource = await openDatabase(target);
  await dataSource.destroy();
  expect(await waitUntil(async () => links[0].connections() === 0, { ms: 60_000 })).toBe(true);
});

it('fails a transaction whose connection is lost between two packets', async () => {
  await links[0].restore();
  const packets = new PacketConnection(target, { silenceMs: 5000, session: [] });
  open = await openDatabase(target);
  await open.query('CREATE TABLE IF NOT EXISTS notes (id INT PRIMARY KEY)');
  const [, [{ id }]] = (await packets.send([{ sql: 'BEGIN' }, { sql: 'SELECT CONNECTION_ID() AS id' }])) as [
    unknown,
    [{ id: number }],
  ];
  await open.query(`KILL ${id}`);
  await waitUntil(async () => Reflect.get(packets, 'connection') === null, { ms: 60_000 });
  const error = await packets
    .send([{ sql: 'INSERT INTO notes VALUES (1)' }, { sql: 'COMMIT' }], { continues: true })
    .catch((caught: unknown) => caught);
  expect(isConnectionLost(error)).toBe(true);
  await expect(open.query('SELECT * FROM notes')).resolves.toEqual([]);
  packets.drop();
});

it('leaves the connection of packets when others go to another host, once its transaction has ended', async () => {
  await links[0].restore();
  const packets = new PacketConnection(target, { silenceMs: 5000, session: [] });
  const connection = async (continues: boolean): Promise<unknown> => {
    const [rows] = await packets.send([{ sql: 'SELECT CONNECTION_ID() AS id' }], { continues });
    return (rows as { id: number }[])[0]!.id;
  };
  const first = await connection(false);
  hostsOf(target)!.moves += 1;
  expect(await connection(true)).toBe(first);
  expect(await connection(false)).not.toBe(first);
  packets.drop();
});
