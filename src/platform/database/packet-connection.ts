import { createConnection, format, type Connection } from 'mysql2';
import type { Socket } from 'node:net';
import type { DatabaseTarget } from '../config/database-url.js';
import { tracing } from '../tracing/tracing.js';
import { isConnectionLost } from './database-errors.js';
import { diskOf } from './disk-space.js';
import { hostsOf, type DatabaseHosts } from './hosts/database-hosts.js';
import { READ_SESSION, sessionFault, SET_SESSION, toRefusal, VALUES_ARE_TEXT } from './session.js';
import type { Statement } from './statement.js';

/** A statement, with `?` for each value if it has any. */
type PacketStatement = Pick<Statement, 'sql'> & Partial<Pick<Statement, 'values'>>;

export interface PacketConnectionOptions {
  /** Drops the connection when an answer is due and nothing arrives for this long. */
  readonly silenceMs: number;
  /** Statements that start every new connection. */
  readonly session: readonly string[];
}

const CONNECT_TIMEOUT_MS = 3000;
/** The server may have closed, or a firewall forgotten, a connection idle for longer. */
const IDLE_MS = 20_000;
/** Limits how long the server keeps our transaction's locks if it does not notice that we are gone. */
const SERVER_WAIT_SECONDS = 60;

/**
 * A dedicated connection for callers that send several statements in one packet and need the result of each; one packet
 * at a time. The first packet opens it, and so does the next one after a failure.
 */
export class PacketConnection {
  private connection: Connection | null = null;
  private lastUsed = 0;
  private readonly hosts: DatabaseHosts | null;
  private movesAtStart = 0;

  constructor(
    private readonly target: DatabaseTarget,
    private readonly options: PacketConnectionOptions,
  ) {
    this.hosts = hostsOf(target);
  }

  /**
   * Sends the statements in one packet; the server stops at the first that fails.
   * @param continues the packet belongs to the transaction of the last one: it fails where that connection is gone
   * @returns the result of each: rows, or the driver's header for a statement without rows
   * @throws the driver's error. Unless `isRefusedByServer` is true, any statement may have run, and the transaction is
   * gone.
   */
  send(statements: readonly PacketStatement[], { continues = false } = {}): Promise<unknown[]> {
    const traced = tracing();
    const send = (): Promise<unknown[]> => this.ask(statements, continues);
    return traced === null ? send() : traced.packet(statements.length, send);
  }

  private async ask(statements: readonly PacketStatement[], continues: boolean): Promise<unknown[]> {
    if (continues && this.connection === null) throw new TransactionLost();
    const connection = continues ? this.connection! : await this.open();
    const text = statements
      .map(({ sql, values = [] }) =>
        format(sql, values as Parameters<typeof format>[1], VALUES_ARE_TEXT.stringifyObjects, 'Z'),
      )
      .join(';');
    try {
      const result = await ask(connection, text, this.options.silenceMs);
      this.lastUsed = performance.now();
      return statements.length === 1 ? [result] : (result as unknown[]);
    } catch (error) {
      diskOf(this.target).saw(error);
      if (!isRefusedByServer(error) || isConnectionLost(error)) this.drop();
      throw error;
    }
  }

  /** Closes the socket without a goodbye: the server rolls back uncommitted work. */
  drop(): void {
    this.connection?.destroy();
    this.connection = null;
  }

  private async open(): Promise<Connection> {
    const isIdle = performance.now() - this.lastUsed > IDLE_MS;
    if (this.connection !== null && (isIdle || this.movesAtStart !== (this.hosts?.moves ?? 0))) this.drop();
    this.connection ??= await this.connect();
    return this.connection;
  }

  private async connect(): Promise<Connection> {
    const { host, port, user, password, database, tls } = this.target;
    const connection = createConnection({
      host,
      port,
      user,
      password,
      database,
      ...(tls ? { ssl: { rejectUnauthorized: true } } : {}),
      charset: 'utf8mb4',
      timezone: 'Z',
      supportBigNumbers: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      ...(this.hosts && { stream: this.hosts.connect }),
      multipleStatements: true,
    });
    // Without a listener, an error between two packets would end the process.
    connection.on('error', () => {
      if (this.connection === connection) this.connection = null;
    });
    const session = [
      SET_SESSION,
      `SET SESSION wait_timeout = ${SERVER_WAIT_SECONDS}`,
      ...this.options.session,
      READ_SESSION,
    ];
    try {
      const answers = (await ask(connection, session.join(';'), this.options.silenceMs)) as unknown[];
      const fault = sessionFault(answers.at(-1));
      if (fault !== null) throw fault;
    } catch (error) {
      connection.destroy();
      throw toRefusal(error as Error);
    }
    this.lastUsed = performance.now();
    this.movesAtStart = this.hosts?.moves ?? 0;
    return connection;
  }
}

/** The connection was lost between two packets of a transaction, which the server has rolled back. */
class TransactionLost extends Error {
  readonly fatal = true;

  constructor() {
    super('the connection was lost between two packets of a transaction');
    this.name = 'TransactionLost';
  }
}

/** True for an error that the server returned: the statement did not run, and the connection still works. */
export function isRefusedByServer(error: unknown): boolean {
  const { sqlState, fatal } = (error ?? {}) as { sqlState?: string; fatal?: boolean };
  return sqlState !== undefined && fatal !== true;
}

function ask(connection: Connection, text: string, silenceMs: number): Promise<unknown> {
  const { stream } = connection as Connection & { readonly stream: Socket };
  const onSilence = (): void => {
    stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }));
  };
  stream.setTimeout(silenceMs, onSilence);
  return new Promise((resolve, reject) => {
    connection.query(text, (error, result) => {
      stream.setTimeout(0);
      stream.off('timeout', onSilence);
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
