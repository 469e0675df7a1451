import type { Socket } from 'node:net';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import type { DatabaseHosts } from './hosts/database-hosts.js';
import { beginSession, VALUES_ARE_TEXT } from './session.js';

/** Most requests that may wait for a connection; more are refused at once. */
const MAX_WAITING = 1000;
/** Keeps idle connections alive in firewalls, which forget them after minutes. */
const KEEP_ALIVE_MS = 10_000;
/** More than the statements of `runBound`. For each connection mysql2 makes lists of this length; of its 16,000 they take 500 KB. */
const MAX_PREPARED_STATEMENTS = 16;

/**
 * The driver object from which TypeORM creates pools. mysql2 has no hook to prepare each connection, and its query
 * timeout leaves a dead connection in the pool, so both are handled where connections are created.
 * @param silenceMs a busy connection without traffic for this long is dropped and its statements fail as
 * `isConnectionLost`; 0: never
 * @param hosts lead each connection to the host to use; null: there is one
 */
export function mysqlDriver(
  silenceMs: number,
  hosts: DatabaseHosts | null,
): { createPool(options: PoolOptions): Pool } {
  return {
    createPool(options) {
      const pool = createPool({
        ...options,
        ...(hosts && { stream: hosts.connect }),
        ...VALUES_ARE_TEXT,
        // It would take a stack trace for each statement, in case that fails; TypeORM's errors have their own.
        trace: false,
        // A reset would restore the server's defaults.
        resetOnRelease: false,
        queueLimit: MAX_WAITING,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
        maxPreparedStatements: MAX_PREPARED_STATEMENTS,
      });
      handOutPrepared(pool);
      if (hosts !== null) replaceMoved(pool, hosts);
      pool.on('acquire', (connection) => socketOf(connection).setTimeout(silenceMs));
      pool.on('release', (connection) => socketOf(connection).setTimeout(0));
      return pool;
    },
  };
}

/** Hands out a new connection only after its session settings are verified. Every connection comes through here. */
function handOutPrepared(pool: Pool): void {
  /** The unwrapped `query` of new connections, for the statements that prepare them. */
  const fresh = new WeakMap<PoolConnection, PoolConnection['query']>();
  pool.on('connection', (connection) => {
    fresh.set(connection, connection.query.bind(connection));
    const socket = socketOf(connection);
    socket.on('timeout', () => {
      socket.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }));
    });
  });
  const take = pool.getConnection.bind(pool);
  pool.getConnection = (done) =>
    take((refusal, connection) => {
      const query = refusal ? undefined : fresh.get(connection);
      if (query === undefined) {
        done(refusal, connection);
        return;
      }
      fresh.delete(connection);
      beginSession(query, (fault) => {
        if (fault !== null) connection.destroy();
        done(fault, connection);
      });
    });
}

/** Hands out no connection to a host that was left for another. */
function replaceMoved(pool: Pool, hosts: DatabaseHosts): void {
  const movesAtStart = new WeakMap<PoolConnection, number>();
  pool.on('connection', (connection) => movesAtStart.set(connection, hosts.moves));
  const take = pool.getConnection.bind(pool);
  pool.getConnection = (done) =>
    take((refusal, connection) => {
      if (refusal || movesAtStart.get(connection) === hosts.moves) {
        done(refusal, connection);
        return;
      }
      connection.destroy();
      pool.getConnection(done);
    });
}

/** Documented by mysql2, but missing in its types. */
function socketOf(connection: PoolConnection): Socket {
  return (connection as PoolConnection & { readonly stream: Socket }).stream;
}
