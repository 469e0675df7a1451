import { createConnection } from 'mysql2/promise';
import { generateApiKey, hashApiKey, type KeyMode } from '../../src/auth/api-key.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';

/** A bench's own account with enough credits, and its key. */
export interface BenchAccount {
  readonly id: string;
  readonly keyId: string;
  readonly key: string;
}

const CREDITS = 1_000_000_000;

const ENDLESS = 1_000_000_000;

/** Creates accounts on a plan with unreachable limits and no allowance. */
export async function makeAccounts(
  databaseUrl: string,
  count: number,
  mode: KeyMode = 'live',
): Promise<BenchAccount[]> {
  const connection = await createConnection(databaseUrl);
  const accounts = Array.from({ length: count }, () => ({
    id: newId(),
    keyId: newId(),
    key: generateApiKey('mv', mode),
  }));
  await connection.query(
    `INSERT IGNORE INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month)
      VALUES ('bench-paid', ?, 0, 0)`,
    [ENDLESS],
  );
  for (const { id, keyId, key } of accounts) {
    await connection.query(
      "INSERT INTO accounts (id, name, plan, created_at) VALUES (?, 'Bench', 'bench-paid', UTC_TIMESTAMP(3))",
      [idToBytes(id)],
    );
    await connection.query('INSERT INTO account_balances VALUES (?, ?, 0, 0, 0)', [idToBytes(id), CREDITS]);
    await connection.query(
      `INSERT INTO api_keys (id, account_id, mode, sha256, last_four, created_at)
        VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))`,
      [idToBytes(keyId), idToBytes(id), mode, Buffer.from(hashApiKey(key), 'hex'), key.slice(-4)],
    );
  }
  await connection.end();
  return accounts;
}

/** Ledger figures of these accounts: spent credits, rows, and distinct references. */
export async function spentBy(
  databaseUrl: string,
  accounts: readonly BenchAccount[],
): Promise<{ readonly credits: number; readonly rows: number; readonly references: number }> {
  const connection = await createConnection(databaseUrl);
  const ids = accounts.map(({ id }) => idToBytes(id));
  const [[balances]] = (await connection.query(
    'SELECT SUM(? - purchased) AS credits FROM account_balances WHERE account_id IN (?)',
    [CREDITS, ids],
  )) as unknown as [[{ credits: string }]];
  const [[ledger]] = (await connection.query(
    'SELECT COUNT(*) AS entries, COUNT(DISTINCT reference) AS refs FROM ledger_entries WHERE account_id IN (?)',
    [ids],
  )) as unknown as [[{ entries: number; refs: number }]];
  await connection.end();
  return { credits: Number(balances.credits), rows: ledger.entries, references: ledger.refs };
}
