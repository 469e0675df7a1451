import { lockAccount, type RequireRoom } from '../auth/account.repository.js';
import { NOW } from '../platform/database/database-now.js';
import { AppError } from '../platform/errors/app-error.js';
import { idToBytes } from '../platform/ids/uuid.js';

interface Room {
  readonly most: number;
  /** Counts the rows that take a place. */
  readonly sql: string;
  readonly message: string;
}

const KEYS = `SELECT COUNT(*) AS n FROM api_keys WHERE account_id = ? AND hidden = 0 AND (created_at > ${NOW} - INTERVAL 1 DAY
  OR revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${NOW}))`;
const FULL_OF_KEYS = 'of this account work or were made within a day; revoke some, or wait.';

const MEMBERS = `SELECT (SELECT COUNT(*) FROM memberships m WHERE m.account_id = a.id)
  + (SELECT COUNT(*) FROM invitations i WHERE i.account_id = a.id AND i.expires_at > ${NOW}) AS n FROM accounts a WHERE a.id = ?`;

/** What members may add to their account. Each key has the rate of the plan, so an account must not have any number of them. */
const ROOMS = {
  key: { most: 100, sql: KEYS, message: `100 keys ${FULL_OF_KEYS}` },
  // A key that somebody has seen can be replaced although the account is full.
  successor: { most: 200, sql: KEYS, message: `200 keys ${FULL_OF_KEYS}` },
  property: {
    most: 1000,
    sql: 'SELECT COUNT(*) AS n FROM properties WHERE account_id = ?',
    message: 'An account has at most 1,000 properties.',
  },
  member: {
    most: 500,
    sql: MEMBERS,
    message: 'An account has at most 500 members, with those who are invited; remove some.',
  },
} as const satisfies Record<string, Room>;

/** The room of an account for what its members add, counted while its row is locked. Operators are not bound. */
export function roomFor(what: keyof typeof ROOMS, accountId: string): RequireRoom {
  const { most, sql, message } = ROOMS[what];
  return async (transaction) => {
    await lockAccount(transaction, accountId);
    const [row] = await transaction.query<{ n: string | number }[]>(sql, [idToBytes(accountId)]);
    if (Number(row?.n) >= most) throw new AppError('quota_exceeded', message);
  };
}
