import { createConnection, type Connection } from 'mysql2/promise';
import { CHUNK_ROWS } from '../../src/billing/statement/ledger-chunks.repository.js';
import { ENDPOINT_OF_ROW } from '../../src/billing/statement/ledger-endpoint.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';

const DAYS = 90;
const KEYS = 10;
const EVENTS = 20_000;
/** Rows of one statement. */
const STATEMENT = 100_000;

/**
 * Gives an account a ledger of so many rows over the last months, summed up as the worker does it, with the keys, counts
 * and guard events that belong to it.
 * @returns id of a row in its middle
 */
export async function fillLedger(databaseUrl: string, account: string, rows: number): Promise<string> {
  const connection = await createConnection({ uri: databaseUrl, timezone: 'Z' });
  const id = idToBytes(account);
  const keys = await addKeys(connection, id);
  const stepMicros = Math.floor((DAYS * 86_400_000_000) / rows);
  await makeNumbers(connection);
  const at = 'UTC_TIMESTAMP(3) - INTERVAL ? DAY + INTERVAL (n + ?) * ? MICROSECOND';
  const when = [DAYS, 0, stepMicros];
  for (let from = 0; from < rows; from += STATEMENT) {
    when[1] = from;
    await connection.beginTransaction();
    // Ids in the order of time, as in a ledger that grew.
    await connection.query(
      `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted, free_verifies,
          month, created_at)
        SELECT ?, IF(n % 50000 = 0, 'grant', IF(n % 97 = 0, 'refund', 'charge')),
          CONCAT(IF(n % 50000 = 0, 'grant', ELT(n % 3 + 1, 'single', 'batch', 'job')), ':', ?, ':', n + ?),
          IF(n % 50000 = 0, NULL, ELT(n % ? + 1, ?)), 1, 1,
          IF(n % 50000 = 0, 100000, IF(n % 97 = 0, 1, -1)), 0, 0, EXTRACT(YEAR_MONTH FROM ${at}), ${at}
        FROM bench_numbers WHERE n < ? ORDER BY n`,
      [id, account, from, keys.length, keys, ...when, ...when, Math.min(STATEMENT, rows - from)],
    );
    await sumUp(connection, id, from, Math.min(STATEMENT, rows - from));
    await connection.commit();
  }
  await connection.query(
    `UPDATE account_balances SET purchased = (SELECT SUM(purchased) FROM ledger_entries WHERE account_id = ?)
      WHERE account_id = ?`,
    [id, id],
  );
  await addCounts(connection, id, keys);
  const [[middle]] = (await connection.query(
    'SELECT id FROM ledger_entries WHERE account_id = ? ORDER BY id LIMIT 1 OFFSET ?',
    [id, Math.floor(rows / 2)],
  )) as unknown as [[{ id: number }]];
  await connection.query('ANALYZE TABLE ledger_entries');
  await connection.end();
  return String(middle.id);
}

/** The table `bench_numbers`: from 0 to as many as a statement inserts rows. */
async function makeNumbers(connection: Connection): Promise<void> {
  await connection.query('DROP TABLE IF EXISTS bench_numbers');
  await connection.query('CREATE TABLE bench_numbers (n int unsigned NOT NULL PRIMARY KEY)');
  await connection.query('INSERT INTO bench_numbers VALUES (0)');
  for (let made = 1; made < STATEMENT; made *= 2) {
    await connection.query('INSERT INTO bench_numbers SELECT n + ? FROM bench_numbers WHERE n + ? < ?', [
      made,
      made,
      STATEMENT,
    ]);
  }
}

/**
 * The sums of whole chunks of the rows from `from` on, as the worker makes them but in two statements, and in the
 * transaction that adds the rows: the worker of a bench finds nothing to do.
 */
async function sumUp(connection: Connection, account: Buffer, from: number, rows: number): Promise<void> {
  const whole = rows - (rows % CHUNK_ROWS);
  const [lasts] = (await connection.query(
    'SELECT through_id, credits_after FROM ledger_chunks WHERE account_id = ? ORDER BY number DESC LIMIT 1',
    [account],
  )) as unknown as [{ through_id: number; credits_after: number }[]];
  const { through_id, credits_after } = lasts[0] ?? { through_id: 0, credits_after: 0 };
  // The number that the reference ends with counts the rows.
  const rowsOfChunks = `(SELECT e.*, CAST(SUBSTRING_INDEX(e.reference, ':', -1) AS UNSIGNED) AS n FROM ledger_entries e
    WHERE e.account_id = ? AND e.id > ? HAVING n < ?)`;
  const range = [account, through_id, from + whole];
  await connection.query(
    `INSERT INTO ledger_chunks (account_id, number, from_id, through_id, first_at, last_at, grants, charges, refunds, credits_after)
      SELECT ?, number, COALESCE(LAG(through_id) OVER (ORDER BY number), ?), through_id, first_at, last_at, grants, charges, refunds,
        ? + SUM(credits) OVER (ORDER BY number)
      FROM (SELECT n DIV ${CHUNK_ROWS} AS number, MAX(id) AS through_id, MIN(created_at) AS first_at, MAX(created_at) AS last_at,
          SUM(kind = 'grant') AS grants, SUM(kind = 'charge') AS charges, SUM(kind = 'refund') AS refunds,
          SUM(purchased + gifted) AS credits
        FROM ${rowsOfChunks} AS numbered GROUP BY 1) AS chunks`,
    [account, through_id, credits_after, ...range],
  );
  await connection.query(
    `INSERT INTO ledger_days (account_id, day, kind, endpoint, key_id, month, addresses, credits, free_verifies)
      SELECT e.account_id, DATE(e.created_at), e.kind, ${ENDPOINT_OF_ROW}, COALESCE(e.key_id, ?), e.month, SUM(e.addresses),
        SUM(e.purchased + e.gifted), SUM(e.free_verifies)
      FROM ${rowsOfChunks} AS e GROUP BY 1, 2, 3, 4, 5, 6
      ON DUPLICATE KEY UPDATE addresses = ledger_days.addresses + VALUES(addresses),
        credits = ledger_days.credits + VALUES(credits), free_verifies = ledger_days.free_verifies + VALUES(free_verifies)`,
    [Buffer.alloc(16), ...range],
  );
}

async function addKeys(connection: Connection, account: Buffer): Promise<Buffer[]> {
  const [[{ kept }]] = (await connection.query('SELECT COUNT(*) AS kept FROM api_keys WHERE account_id = ?', [
    account,
  ])) as unknown as [[{ kept: number }]];
  const keys = Array.from({ length: KEYS - kept }, (_, n) => [
    idToBytes(newId()),
    account,
    'live',
    Buffer.from(newId().replaceAll('-', '').repeat(2), 'hex'),
    String(1000 + n),
    new Date(),
  ]);
  await connection.query('INSERT INTO api_keys (id, account_id, mode, sha256, last_four, created_at) VALUES ?', [keys]);
  const [rows] = (await connection.query('SELECT id FROM api_keys WHERE account_id = ?', [account])) as unknown as [
    { id: Buffer }[],
  ];
  return rows.map(({ id }) => id);
}

/** Verdicts of every day and key, and guard events. */
async function addCounts(connection: Connection, account: Buffer, keys: readonly Buffer[]): Promise<void> {
  const counts = keys.flatMap((key) =>
    Array.from({ length: DAYS }, (_, day) => [account, dayBefore(day), 'single', key, 7, 1, 1, 0, 1, 0]),
  );
  await connection.query(
    `INSERT INTO usage_counts (account_id, day, endpoint, key_id, valid, invalid, catch_all, disposable, role, unknown) VALUES ?`,
    [counts],
  );
  const events = Array.from({ length: EVENTS }, (_, n) => {
    const at = new Date(Date.now() - n * 120_000);
    return [account, 0, at, idToBytes(newId()), `d${n % 50}.example`, 'valid', 'allow', 'remote', 0, '[]'];
  });
  for (let from = 0; from < EVENTS; from += 5000) {
    await connection.query(
      'INSERT INTO guard_events (account_id, sandbox, at, id, domain, verdict, action, source, degraded, reasons) VALUES ?',
      [events.slice(from, from + 5000)],
    );
  }
}

/** Such as `2026-11-28`, UTC. */
export function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
