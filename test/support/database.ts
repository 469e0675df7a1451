import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

/** A name that says "test" as a word of its own: `mailvet_test`, `test`, `test_42`; not `latest` or `mailvet`. */
const saysTest = /(^|[_-])test([_-]|$)/i;

export interface TestDatabase {
  /** `mysql://…` of an empty database of its own */
  readonly url: string;
  /** Removes the database and all that is in it. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database for one test file on the server of `DATABASE_URL` (which `npm test` sets). Refuses a server
 * whose URL does not name a test database: nothing here may ever reach data that someone needs.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = testServerUrl(process.env['DATABASE_URL']);
  const name = `mailvet_test_${randomBytes(6).toString('hex')}`;
  await run(server, `CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server, `DROP DATABASE IF EXISTS \`${name}\``) };
}

/** The URL itself when it names a database that tests may use; throws (without the password in it) otherwise. */
export function testServerUrl(given: string | undefined): string {
  if (!given)
    throw new Error('DATABASE_URL is not set: run `npm test`, or `node scripts/dev-servers.mjs` beside your tests');
  const { hostname, pathname } = new URL(given);
  const database = decodeURIComponent(pathname.slice(1));
  if (!saysTest.test(database)) {
    throw new Error(
      `tests refuse the database "${database}" on ${hostname}: its name must say "test", as mailvet_test does`,
    );
  }
  return given;
}

async function run(server: string, statement: string): Promise<void> {
  const connection = await createConnection({ uri: server, connectTimeout: 10_000 });
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
