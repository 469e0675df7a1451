import type { Socket } from 'node:net';
import { createPool, type Pool, type PoolConnection, type PoolOptions } from 'mysql2';
import { beginSession, VALUES_ARE_TEXT } from './session.js';

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
      const pool = createPool({
        ...options,
        ...VALUES_ARE_TEXT,
        // It would bring the defaults of the server back.
        resetOnRelease: false,
        queueLimit: MAX_WAITING,
        keepAliveInitialDelay: KEEP_ALIVE_MS,
      });
      handOutPrepared(pool);
      pool.on('acquire', (connection) => socketOf(connection).setTimeout(silenceMs));
      pool.on('release', (connection) => socketOf(connection).setTimeout(0));
      return pool;
    },
  };
}

/** A new connection goes to whoever asked for it once its settings are known to be ours. All ways to a connection lead here. */
function handOutPrepared(pool: Pool): void {
  /** How new connections are asked before anybody watches what they are asked. */
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

/** Part of mysql2's documentation, not of its types. */
function socketOf(connection: PoolConnection): Socket {
  return (connection as PoolConnection & { readonly stream: Socket }).stream;
}
