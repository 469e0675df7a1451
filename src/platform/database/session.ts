import type { Connection, RowDataPacket } from 'mysql2';

/**
 * What every connection has to be, whatever the defaults of its server are. Values are put into statements with a backslash
 * before each quote: under `NO_BACKSLASH_ESCAPES`, or where the character set of the client has the backslash as a second
 * octet (`gbk`, `sjis`), the end of a value would not be where the driver put it. Without a strict mode a text that is too
 * long would be cut in silence.
 */
const SESSION = {
  sql_mode: 'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
  character_set_client: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  character_set_results: 'utf8mb4',
  collation_connection: 'utf8mb4_general_ci',
  // CURRENT_TIMESTAMP and column defaults follow the zone of the session.
  time_zone: '+00:00',
  autocommit: '1',
} as const;

type Variable = keyof typeof SESSION;
const VARIABLES = Object.keys(SESSION) as Variable[];

/** For the start of a connection, before anything else is asked on it. Nothing in it depends on the mode it is read in. */
export const SET_SESSION = `SET NAMES utf8mb4 COLLATE utf8mb4_general_ci, sql_mode = '${SESSION.sql_mode}',
  time_zone = '${SESSION.time_zone}', autocommit = 1`;
/** Its answer is for `checkSession`. */
export const READ_SESSION = `SELECT ${VARIABLES.map((name) => `@@SESSION.${name} AS ${name}`).join(', ')}`;

/** Objects among the values of a statement are text, never a list of columns and values. */
export const VALUES_ARE_TEXT = { stringifyObjects: true } as const;

/**
 * The server, or a proxy before it, does not give its connections the settings they ask for: nothing may be asked on them.
 * Like a lost connection for whoever wanted to.
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

/** What is wrong by the answer to `READ_SESSION`; null when all is as it has to be. */
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
 * Puts the settings, and their check, at the head of what is asked on a new connection.
 * @param done gets a SessionRefused, or what the driver says of a connection that is lost
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

/** An answer of the server, unlike the loss of a connection, is a refusal. */
export function toRefusal(error: Error): Error {
  const { sqlState, fatal, code } = error as Error & { sqlState?: string; fatal?: boolean; code?: string };
  return sqlState === undefined || fatal === true
    ? error
    : new SessionRefused(`${code ?? 'an error'} at SET`, { cause: error });
}

/** Servers tell the words of a list in an order of their own. */
function sorted(list: string): string {
  return list.split(',').toSorted().join();
}
