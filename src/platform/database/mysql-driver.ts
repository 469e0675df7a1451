import type { Socket } from 'node:net';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';

/** Most requests that may wait for a connection; beyond it they are refused at once instead of piling up. */
const MAX_WAITING = 1000;
/** Idle connections are kept known to firewalls on the way, which forget them after minutes. */
const KEEP_ALIVE_MS = 10_000;

/**
 * The driver object TypeORM asks for pools. mysql2 has no hook for what every connection needs, and its query timeout
 * leaves a connection that will never answer in the pool, so both are done where connections are made.
 *
 * @param silenceMs a connection in use on which nothing arrives for so long is dropped, and what waited for it fails as
 *   `isConnectionLost`; 0: never
 */
export function mysqlDriver(silenceMs: number): { createPool(options: PoolOptions): Pool } {
  return {
    createPool(options) {
      const pool = createPool({ ...options, queueLimit: MAX_WAITING, keepAliveInitialDelay: KEEP_ALIVE_MS });
      pool.on('connection', prepare);
      pool.on('acquire', (connection) => socketOf(connection).setTimeout(silenceMs));
      pool.on('release', (connection) => socketOf(connection).setTimeout(0));
      return pool;
    },
  };
}

/** Runs before the first statement of the connection: mysql2 keeps the order of what is asked. */
function prepare(connection: PoolConnection): void {
  // CURRENT_TIMESTAMP and column defaults follow the session's zone, which is the server's unless it is set.
  connection.query("SET time_zone = '+00:00'", (error) => {
    if (error) connection.destroy();
  });
  const socket = socketOf(connection);
  socket.on('timeout', () => {
    socket.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }));
  });
}

/** Part of mysql2's documentation, not of its types. */
function socketOf(connection: PoolConnection): Socket {
  return (connection as PoolConnection & { readonly stream: Socket }).stream;
}
