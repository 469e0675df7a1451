import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Command } from 'commander';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { JobRepository } from '../../src/jobs/job.repository.js';
import { parseDatabaseUrl, type DatabaseTarget } from '../../src/platform/config/database-url.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { isConnectionLost } from '../../src/platform/database/database-errors.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { PacketConnection } from '../../src/platform/database/packet-connection.js';
import { askPool } from '../../src/platform/database/ask-pool.js';
import { runMigrations } from '../../src/platform/database/run-migrations.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { OPERATOR_ENTITIES } from '../../src/roles/operator-entities.js';
import { createLog } from '../../src/platform/logging/log.js';
import { describeFault } from '../../src/roles/cli-fault.js';
import { createWorker } from '../../src/roles/worker.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { startOwnServers, type OwnServers } from '../support/own-servers.js';
import { waitUntil } from '../support/wait-until.js';

/** What a server may bring along: its defaults are nobody's promise. */
const DEFAULTS: readonly (readonly [string, ...string[]])[] = [
  ['NO_BACKSLASH_ESCAPES', mode('NO_BACKSLASH_ESCAPES')],
  ['ANSI_QUOTES', mode('ANSI_QUOTES')],
  ['PIPES_AS_CONCAT', mode('PIPES_AS_CONCAT')],
  ['ANSI', mode('ANSI')],
  ['ORACLE', mode('ORACLE')],
  ['ORACLE and NO_BACKSLASH_ESCAPES', mode('ORACLE,NO_BACKSLASH_ESCAPES')],
  ['no mode', mode('')],
  ...['gbk', 'sjis', 'latin1'].map((charset): [string, ...string[]] => [charset, ...charsetOf(charset)]),
  ['gbk and no mode', ...charsetOf('gbk'), mode('NO_BACKSLASH_ESCAPES')],
  ['an init_connect', `SET GLOBAL init_connect = "SET NAMES gbk, sql_mode = 'NO_BACKSLASH_ESCAPES', autocommit = 0"`],
];

/** Each of them as short as the columns of names are. */
const HOSTILE = [
  "o'neil@example.com",
  "x'),((SELECT name FROM plans LIMIT 1)) -- ",
  "\\'),((SELECT name FROM plans LIMIT 1)) -- ",
  "', (SELECT name FROM plans LIMIT 1), NULL, 0, NULL) -- ",
  "' || (SELECT name FROM plans LIMIT 1) || '",
  '" || "a',
  '\\',
  'ends with \\',
  "\\'",
  "\\\\'",
  "'",
  "''",
  '`',
  '?',
  '%_',
  // Their last octet and a backslash are one character in gbk and sjis.
  "¿'",
  "ƕ'",
  '表\\',
  'NUL \0 and \u001a and \r\n\t\b',
  '😀',
];

let servers: OwnServers;
let admin: Connection;
let target: DatabaseTarget;
beforeAll(async () => {
  servers = await startOwnServers({ mariaDbArguments: ['--skip-character-set-client-handshake'] });
  target = targetOf(servers.mariaDb.url);
  admin = await createConnection({ uri: servers.mariaDb.adminUrl, charset: 'utf8mb4' });
});
afterAll(async () => {
  await admin?.end();
  await servers?.close();
});
afterEach(async () => {
  for (const statement of [mode('STRICT_TRANS_TABLES'), ...charsetOf('utf8mb4'), "SET GLOBAL init_connect = ''"]) {
    await admin.query(statement);
  }
});

describe.each(DEFAULTS)('on a server with %s', (_, ...settings) => {
  let dataSource: DataSource;
  let accountId: string;
  const bringAlong = async (): Promise<void> => {
    for (const statement of settings) await admin.query(statement);
  };
  beforeAll(async () => {
    await bringAlong();
    await admin.query(`DROP DATABASE ${target.database}`);
    await admin.query(`CREATE DATABASE ${target.database}`);
    await runMigrations(target);
  });
  beforeEach(async () => {
    await bringAlong();
    dataSource = await openDatabase(target, { entities: OPERATOR_ENTITIES });
    accountId = newId();
    await new AccountRepository(dataSource).insert({ id: accountId, name: 'Acme', plan: 'free' }, 'test');
  });
  afterEach(() => dataSource?.destroy());

  it('values are stored and read back unchanged', async () => {
    const id = await submit(dataSource, accountId, HOSTILE);
    const jobs = new JobRepository(dataSource);
    expect((await jobs.entries(id, 0, 1000)).map(({ sent }) => sent)).toEqual([...HOSTILE, ...HOSTILE.map(() => null)]);
    const results = (await jobs.results(id, 0, 1000)).map((text) => JSON.parse(text) as unknown);
    expect(results).toEqual(HOSTILE.map((email) => ({ email: `${email}\ud800`, error: 'invalid_email' })));
    // Not the wrong text that is read wrong in the same way.
    const [octets] = await admin.query<RowDataPacket[]>(
      `SELECT LOWER(HEX(sent)) AS sent FROM ${target.database}.job_entries WHERE sent IS NOT NULL ORDER BY position`,
    );
    expect(octets.map((row) => String(row['sent']))).toEqual(HOSTILE.map((text) => Buffer.from(text).toString('hex')));

    const accounts = new AccountRepository(dataSource);
    for (const name of HOSTILE) {
      const named = newId();
      await accounts.insert({ id: named, name, plan: 'free' }, name);
      expect((await accounts.findById(named))?.name).toBe(name);
    }
    expect((await accounts.list()).map(({ name }) => name)).toEqual(['Acme', ...HOSTILE]);

    const packets = new PacketConnection(target, { silenceMs: 20_000, session: [] });
    const rows = await packets.send(HOSTILE.map((text) => ({ sql: 'SELECT ? AS text', values: [text] })));
    packets.drop();
    expect(rows).toEqual(HOSTILE.map((text) => [{ text }]));
    const [row] = await askPool<{ text: string; list: number }[]>(dataSource, 'SELECT ? AS text, ? IN (?) AS list', [
      HOSTILE.join('\n'),
      HOSTILE[1],
      HOSTILE,
    ]);
    expect(row).toEqual({ text: HOSTILE.join('\n'), list: 1 });
  });

  it('values that do not fit are refused, not truncated', async () => {
    await expect(submit(dataSource, accountId, ['x'.repeat(1025)])).rejects.toMatchObject({ code: 'ER_DATA_TOO_LONG' });
    await expect(dataSource.query("UPDATE plans SET requests_per_minute = 'many'")).rejects.toMatchObject({
      driverError: { errno: expect.any(Number) as number },
    });
  });
});

describe('values of a statement', () => {
  it('that are objects or nested lists are never read as SQL', async () => {
    const dataSource = await openDatabase(target);
    const packets = new PacketConnection(target, { silenceMs: 20_000, session: [] });
    await admin.query(`CREATE TABLE ${target.database}.shapes (text VARCHAR(40), other INT DEFAULT 7)`);
    try {
      const object = { other: 1, text: 'x' };
      await dataSource.query('INSERT INTO shapes (text) VALUES (?)', [object]);
      await dataSource.query('UPDATE shapes SET text = ?, other = 8', [object]);
      await packets.send([{ sql: 'UPDATE shapes SET text = ?', values: [object] }]);
      expect(await dataSource.query('SELECT text, other FROM shapes')).toEqual([{ text: '[object Object]', other: 8 }]);
      await expect(dataSource.query('UPDATE shapes SET ?', [object])).rejects.toThrow(/SQL syntax/);
      // `text` = `text` would be true of every row.
      await dataSource.query("INSERT INTO shapes (text) VALUES ('another')");
      const found = await askPool<unknown[]>(dataSource, 'SELECT other FROM shapes WHERE text = ?', [{ text: 1 }]);
      expect(found).toEqual([{ other: 8 }]);
    } finally {
      packets.drop();
      await dataSource.destroy();
      await admin.query(`DROP TABLE ${target.database}.shapes`);
    }
  });
});

describe('the first statement of every connection', () => {
  it('applies its settings, also after a reconnect', async () => {
    await admin.query(mode('NO_BACKSLASH_ESCAPES'));
    await admin.query("SET GLOBAL log_output = 'TABLE'");
    await admin.query('TRUNCATE mysql.general_log');
    await admin.query('SET GLOBAL general_log = 1');
    const dataSource = await openDatabase(target);
    const packets = new PacketConnection(target, { silenceMs: 20_000, session: [] });
    const ask = async () => {
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, () => dataSource.query<object[]>('SELECT @@sql_mode AS it'))),
        askPool<unknown[]>(dataSource, 'SELECT 1', []),
        packets.send([{ sql: 'SELECT 1' }]),
      ]);
      return new Set(answers.map(([row]) => JSON.stringify(row)));
    };
    try {
      expect(await ask()).toEqual(new Set([expect.stringMatching(/^\{"it":"STRICT_TRANS_TABLES,/)]));
      const [ours] = await admin.query<RowDataPacket[]>(
        "SELECT id FROM information_schema.processlist WHERE user = 'mailvet'",
      );
      for (const { id } of ours) await admin.query(`KILL ${Number(id)}`);
      await waitUntil(
        () =>
          ask().then(
            () => true,
            () => false,
          ),
        { ms: 60_000 },
      );
      expect((await ask()).size).toBe(1);
      await runMigrations(target);
    } finally {
      packets.drop();
      await dataSource.destroy();
      await admin.query('SET GLOBAL general_log = 0');
    }
    const [log] = await admin.query<RowDataPacket[]>(
      `SELECT thread_id, CONVERT(argument USING utf8mb4) AS text FROM mysql.general_log
        WHERE command_type = 'Query' AND user_host LIKE '%mailvet%' ORDER BY event_time`,
    );
    const first = new Map<number, string>();
    for (const { thread_id: thread, text } of log as { thread_id: number; text: string }[]) {
      if (!first.has(thread)) first.set(thread, text);
    }
    expect(first.size).toBeGreaterThan(4);
    expect([...first.values()].filter((text) => !text.startsWith('SET NAMES utf8mb4'))).toEqual([]);
  });
});

describe('if the settings cannot be applied', () => {
  let link: BreakableLink;
  let linked: DatabaseTarget;
  let swallows: boolean;
  beforeEach(async () => {
    // A proxy that does not carry out SET: what it does instead is as long.
    const rewrite = (chunk: Buffer): Buffer => {
      const text = chunk.toString('latin1');
      const set = /SET NAMES [^;]*?autocommit = 1/.exec(text)?.[0];
      if (!swallows || set === undefined) return chunk;
      return Buffer.from(text.replace(set, 'DO 1'.padEnd(set.length)), 'latin1');
    };
    link = await breakableLink({ host: target.host, port: target.port }, rewrite);
    linked = { ...target, port: link.port };
    await link.restore();
    await admin.query(mode('NO_BACKSLASH_ESCAPES'));
    swallows = true;
  });
  afterEach(() => link.close());

  const refusal = expect.objectContaining({
    name: 'SessionRefused',
    message: expect.stringMatching(
      /^the database does not accept the settings .*sql_mode is "[A-Z_,]*NO_BACKSLASH_ESCAPES".* type: /,
    ),
  }) as Error;
  const startWorker = async (): Promise<NestFastifyApplication> => {
    const url = new URL(servers.mariaDb.url);
    url.port = String(link.port);
    const env = { DATABASE_URL: url.href, REDIS_URL: servers.redis.url, WORKER_PORT: '0', SMTP_CHECK_DOMAINS: 'none' };
    const app = await createWorker(loadConfig('worker', env), createLog('silent'));
    await app.init().catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    return app;
  };

  it('no command, migration, packet or process starts', async () => {
    await expect(openDatabase(linked)).rejects.toEqual(refusal);
    await expect(runMigrations(linked)).rejects.toEqual(refusal);
    const packets = new PacketConnection(linked, { silenceMs: 20_000, session: [] });
    const refused = await packets.send([{ sql: 'SELECT 1' }]).catch((error: unknown) => error);
    expect(refused).toEqual(refusal);
    expect(isConnectionLost(refused)).toBe(true);
    expect(describeFault(refused, new Command('mailvet'), [])).toMatch(
      /^error: the database does not accept .* type: /,
    );
    await expect(startWorker()).rejects.toEqual(refusal);
  });

  it('a running process is not ready, and says why, until they can', async () => {
    swallows = false;
    await runMigrations(linked);
    const app = await startWorker();
    const readiness = async (): Promise<string> => {
      const { statusCode, body } = await app.inject({ method: 'GET', url: '/health/ready' });
      return `${statusCode} ${body}`;
    };
    const becomes = (text: string) => waitUntil(async () => (await readiness()).includes(text), { ms: 60_000 });
    try {
      expect(await becomes('200 ')).toBe(true);
      swallows = true;
      await link.cut();
      await link.restore();
      expect(await becomes('the database does not accept the settings of our connections')).toBe(true);
      swallows = false;
      expect(await becomes('200 ')).toBe(true);
    } finally {
      await app.close();
    }
  });
});

function mode(words: string): string {
  return `SET GLOBAL sql_mode = '${words}'`;
}

/** Of a server that does not listen to what its clients speak. */
function charsetOf(name: string): string[] {
  return [
    `SET GLOBAL character_set_server = '${name}'`,
    `SET GLOBAL character_set_client = '${name}'`,
    `SET GLOBAL character_set_results = '${name}'`,
    `SET GLOBAL character_set_connection = '${name}'`,
  ];
}

function targetOf(url: string): DatabaseTarget {
  const parsed = parseDatabaseUrl(url);
  if (parsed === null) throw new Error('the server has no usable URL');
  return parsed;
}

/** A job of these as addresses, and once more as entries that are none and have their result. */
async function submit(dataSource: DataSource, accountId: string, texts: readonly string[]): Promise<string> {
  const id = newId();
  const at = new Date();
  const jobs = new JobRepository(dataSource);
  await dataSource.transaction(async (transaction) => {
    await jobs.insertEntriesWithin(transaction, id, [
      ...texts.map((sent) => ({ sent, unitPrice: 1, result: null })),
      // Half of a pair: nothing that UTF-8 has octets for, and JSON says it with a backslash.
      ...texts.map((email) => ({
        sent: null,
        unitPrice: 0,
        result: JSON.stringify({ email: `${email}\ud800`, error: 'invalid_email' }),
      })),
    ]);
    await jobs.insertWithin(transaction, {
      id,
      owner: { accountId, sandbox: false },
      keyId: newId(),
      sandbox: false,
      mode: 'standard',
      name: null,
      counts: null,
      status: 'processing',
      total: texts.length * 2,
      addressesCounted: texts.length * 2,
      done: 0,
      createdAt: at,
      completedAt: null,
      webhook: true,
      expiresAt: new Date(at.getTime() + 3600_000),
    });
  });
  const [rows] = await dataSource.query<{ entries: string }[]>(
    'SELECT COUNT(*) AS entries FROM job_entries WHERE job_id = ?',
    [idToBytes(id)],
  );
  expect(rows).toEqual({ entries: String(texts.length * 2) });
  return id;
}
