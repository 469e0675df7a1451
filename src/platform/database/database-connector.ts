import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { setTimeout as delay } from 'node:timers/promises';
import { SessionRefused } from './session.js';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;
/** How long a start waits for the database before it goes on without it. */
const START_WAIT_MS = 3000;

/**
 * Connects in the background for as long as it takes, so that a process starts, answers 503 and recovers without a
 * restart while its database is down. Once connected the pool reconnects by itself.
 */
@Injectable()
export class DatabaseConnector implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly stop = new AbortController();
  private connecting: Promise<void> = Promise.resolve();
  private reached = false;
  private refused: SessionRefused | null = null;

  constructor(private readonly dataSource: DataSource) {}

  /** True once the database was reached and entities and migrations are known (TypeORM's flag is set before that). */
  get connected(): boolean {
    return this.reached;
  }

  /** What is wrong with a database that was found and must not be used. */
  get refusal(): SessionRefused | null {
    return this.refused;
  }

  /**
   * Waits for the first attempt only, so that a start with a healthy database is ready when it listens.
   * @throws SessionRefused, which no waiting mends
   */
  async onModuleInit(): Promise<void> {
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

  /** Runs after the HTTP server has closed: what was in flight has been answered. */
  async onApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.connecting;
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

  /** A connect that failed after it made its pool would leave that pool behind. */
  private async closeHalfOpen(): Promise<void> {
    if (!this.dataSource.isInitialized) await this.dataSource.driver.disconnect().catch(() => undefined);
  }
}
