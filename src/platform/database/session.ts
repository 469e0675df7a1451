import type { Connection, RowDataPacket } from 'mysql2';

/**
 * Required session settings of every connection, whatever the server's defaults. The driver escapes quotes in values
 * with a backslash: under `NO_BACKSLASH_ESCAPES`, or with a client character set that uses the backslash as a second
 * octet (`gbk`, `sjis`), a value could end elsewhere (SQL injection). Without strict mode, text that is too long would
 * be cut silently.
 */
const SESSION = {
  sql_mode: 'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  character_set_client: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  character_set_results: 'utf8mb4',
  collation_connection: 'utf8mb4_general_ci',
  // CURRENT_TIMESTAMP and column defaults follow the session's time zone.
  time_zone: '+00:00',
  autocommit: '1',
} as const;

type Variable = keyof typeof SESSION;
const VARIABLES = Object.keys(SESSION) as Variable[];

/** The first statement on a new connection. It reads the same in every SQL mode. */
export const SET_SESSION = `SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, sql_mode = '${SESSION.sql_mode}',
  time_zone = '${SESSION.time_zone}', autocommit = 1`;
/** Reads the settings for `sessionFault`. */
export const READ_SESSION = `SELECT ${VARIABLES.map((name) => `@@SESSION.${name} AS ${name}`).join(', ')}`;

/** Objects among a statement's values are text, never a list of columns and values. */
export const VALUES_ARE_TEXT = { stringifyObjects: true } as const;

/**
 * The server, or a proxy in front of it, does not apply the required session settings: no query may run. Callers treat
 * it like a lost connection.
 */
export class SessionRefused extends Error {
  readonly code = 'SESSION_REFUSED';
  readonly fatal = true;

  constructor(found: string, options?: ErrorOptions) {
    super(
      `the database does not accept the settings of our connections: ${found}. DATABASE_URL has to lead to a server, or a proxy, ` +
        `that carries out SET. To see what it does, type: mariadb --execute="SET sql_mode = 'STRICT_TRANS_TABLES'; SELECT @@sql_mode"`,
      options,
    );
    this.name = 'SessionRefused';
  }
}

/** Checks the answer to `READ_SESSION`; null when all settings are right. */
export function sessionFault(rows: unknown): SessionRefused | null {
  const [row = {}] = rows as readonly Partial<Record<Variable, unknown>>[];
  for (const name of VARIABLES) {
    const found = String(row[name]);
    if (sorted(found) !== sorted(SESSION[name]))
      return new SessionRefused(`${name} is "${found}", not "${SESSION[name]}"`);
  }
  return null;
}

/**
 * Applies and checks the settings before any other statement on a new connection.
 * @param done gets a SessionRefused, or the driver's error when the connection is lost
 */
export function beginSession(query: Connection['query'], done: (fault: Error | null) => void): void {
  let refusal: Error | null = null;
  query(SET_SESSION, (error) => {
    refusal = error;
  });
  query<RowDataPacket[]>(READ_SESSION, (error, rows) => {
    const fault = refusal ?? error;
    done(fault === null ? sessionFault(rows) : toRefusal(fault));
  });
}

/** An error the server returned is a refusal; a lost connection is not. */
export function toRefusal(error: Error): Error {
  const { sqlState, fatal, code } = error as Error & { sqlState?: string; fatal?: boolean; code?: string };
  return sqlState === undefined || fatal === true
    ? error
    : new SessionRefused(`${code ?? 'an error'} at SET`, { cause: error });
}

/** Servers order the words of a list differently. */
function sorted(list: string): string {
  return list.split(',').toSorted().join();
}
