import type { Socket } from 'node:net';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2';
import { nameOf, type DatabaseHost, type DatabaseTarget } from '../../config/database-url.js';
import { reasonOf } from '../database-errors.js';
import type { HostState } from './choose-host.js';

/** A host that takes longer counts as silent. */
const ANSWER_MS = 2000;
/** `wsrep_local_state` of a node that has all that its cluster has. */
const SYNCED = '4';

/** Asks one host, on a connection of its own, whether it can be written to. SHOW works on a node without its cluster too. */
export class HostProbe {
  readonly name: string;
  private connection: Connection | null = null;

  constructor(
    private readonly target: DatabaseTarget,
    private readonly host: DatabaseHost,
  ) {
    this.name = nameOf(host);
  }

  /** Never rejects. */
  async state(): Promise<HostState> {
    try {
      const variables = await this.show("VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')");
      if (variables['read_only'] !== 'OFF') return { kind: 'read-only' };
      return variables['wsrep_on'] === 'ON' ? await this.nodeState() : { kind: 'writable', cluster: null };
    } catch (error) {
      return { kind: 'silent', why: reasonOf(error) };
    }
  }

  /** Waits until the node has applied all that its cluster has committed. Never rejects. @returns false: it has not */
  async catchUp(): Promise<boolean> {
    try {
      await this.ask('SET SESSION wsrep_sync_wait = 1');
      await this.ask('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      // The next questions must not wait.
      this.close();
    }
  }

  close(): void {
    this.connection?.destroy();
    this.connection = null;
  }

  private async nodeState(): Promise<HostState> {
    const status = await this.show("STATUS LIKE 'wsrep\\_%'");
    const isReady =
      status['wsrep_ready'] === 'ON' &&
      status['wsrep_cluster_status'] === 'Primary' &&
      status['wsrep_local_state'] === SYNCED;
    return isReady ? { kind: 'writable', cluster: status['wsrep_cluster_state_uuid'] ?? '' } : { kind: 'not ready' };
  }

  private async show(what: string): Promise<Readonly<Record<string, string>>> {
    const rows = await this.ask<{ Variable_name: string; Value: string }>(`SHOW GLOBAL ${what}`);
    return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
  }

  private ask<Row>(sql: string): Promise<Row[]> {
    const connection = (this.connection ??= this.connect());
    const { stream } = connection as Connection & { readonly stream: Socket };
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        stream.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
      }, ANSWER_MS);
      connection.query<(Row & RowDataPacket)[]>(sql, (error, rows) => {
        clearTimeout(late);
        if (error === null) {
          resolve(rows);
          return;
        }
        // An answer that comes late must not be taken for the next one.
        this.close();
        reject(error);
      });
    });
  }

  private connect(): Connection {
    const { user, password, tls } = this.target;
    const connection = createConnection({
      ...this.host,
      user,
      password,
      ...(tls ? { ssl: { rejectUnauthorized: true } } : {}),
      connectTimeout: ANSWER_MS,
    });
    // Without a listener, an error between two questions would end the process.
    connection.on('error', () => {
      if (this.connection === connection) this.connection = null;
    });
    return connection;
  }
}
