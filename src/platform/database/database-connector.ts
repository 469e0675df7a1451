import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { AppSecrets } from '../config/app-secrets.js';
import { hostsOf } from './hosts/database-hosts.js';
import type { Replica } from './replica/replica.js';
import { attachReplica } from './replica/stale-reads.js';
import { SessionRefused } from './session.js';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;
/** How long a start waits for the database before it continues without it. */
const START_WAIT_MS = 3000;

/**
 * Connects in the background without a time limit, so that a process whose database is down starts, answers 503 and
 * recovers without a restart. Once connected, the pool reconnects by itself.
 */
@Injectable()
export class DatabaseConnector implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stop = new AbortController();
  private connecting: Promise<void> = Promise.resolve();
  private reached = false;
  private refused: SessionRefused | null = null;

  private replica: Replica | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: AppSecrets,
  ) {}

  /** True once the database was reached and entities are loaded (TypeORM sets its flag earlier). */
  get connected(): boolean {
    return this.reached;
  }

  /** Why a database that was reached must not be used. */
  get refusal(): SessionRefused | null {
    return this.refused;
  }

  /**
   * Waits for the first attempt only, so that with a healthy database the process is ready when it listens.
   * @throws SessionRefused, which no retry fixes
   */
  async onModuleInit(): Promise<void> {
    const { database, databaseReplica } = this.secrets;
    const hosts = hostsOf(database);
    if (hosts !== null) hosts.onChange = (what) => this.logger.warn(what, 'the host of the database has changed');
    if (databaseReplica !== null) this.replica = attachReplica(this.dataSource, databaseReplica);
    const first = this.attempt();
    this.connecting = first.then((connected) => (connected ? undefined : this.keepTrying()));
    const waited = new AbortController();
    await Promise.race([first, delay(START_WAIT_MS, undefined, { signal: waited.signal })]);
    waited.abort();
    if (this.refused !== null) {
      this.stop.abort();
      throw this.refused;
    }
  }

  /** Runs after the HTTP server has closed and all requests are answered. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.connecting;
    await this.replica?.close();
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private async keepTrying(): Promise<void> {
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      await delay(wait, undefined, { signal: this.stop.signal }).catch(() => undefined);
      if (this.stop.signal.aborted) return;
      if (await this.attempt()) {
        this.logger.log('connected');
        return;
      }
    }
  }

  private async attempt(): Promise<boolean> {
    try {
      await this.dataSource.initialize();
      this.reached = true;
      this.refused = null;
      return true;
    } catch (error) {
      this.refused = error instanceof SessionRefused ? error : null;
      this.logger.warn({ err: error }, 'cannot connect; trying again');
      await this.closeHalfOpen();
      return false;
    }
  }

  /** Closes the pool that a failed connect leaves behind. */
  private async closeHalfOpen(): Promise<void> {
    if (!this.dataSource.isInitialized) await this.dataSource.driver.disconnect().catch(() => undefined);
  }
}
