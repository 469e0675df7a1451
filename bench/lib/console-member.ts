import { createConnection } from 'mysql2/promise';
import { hashToken, newToken } from '../../src/console/session/token.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { makeAccounts } from './bench-accounts.js';

/** An account, and the session of somebody who owns it and operates the service. */
export interface ConsoleMember {
  readonly account: string;
  /** Id of a key of the account. */
  readonly keyId: string;
  /** Value of the cookie `mailvet`. */
  readonly token: string;
}

export async function makeConsoleMember(databaseUrl: string): Promise<ConsoleMember> {
  const [made] = await makeAccounts(databaseUrl, 1);
  const { id: account, keyId } = made!;
  return { account, keyId, token: await makeConsoleUser(databaseUrl, account) };
}

/** @returns the token of a session of a new owner */
export async function makeConsoleUser(databaseUrl: string, account: string): Promise<string> {
  const [token, user] = [newToken(), newId()];
  const connection = await createConnection(databaseUrl);
  await connection.query(
    "INSERT INTO users (id, email, name, operator, created_at) VALUES (?, ?, 'Bench', 1, UTC_TIMESTAMP(3))",
    [idToBytes(user), `${user}@example.com`],
  );
  await connection.query(
    "INSERT INTO memberships (user_id, account_id, role, created_at) VALUES (?, ?, 'owner', UTC_TIMESTAMP(3))",
    [idToBytes(user), idToBytes(account)],
  );
  await connection.query(
    `INSERT INTO sessions (id, user_id, token_sha256, stage, created_at, last_used_at, expires_at)
      VALUES (?, ?, ?, 'full', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
    [idToBytes(newId()), idToBytes(user), Buffer.from(hashToken(token)!, 'hex')],
  );
  await connection.end();
  return token;
}
