import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppSecrets } from '../config/app-secrets.js';
import { DatabaseConnector } from './database-connector.js';
import { diskOf, type DiskSpace } from './disk-space.js';
import { pendingMigrations } from './pending-migrations.js';
import { SessionRefused } from './session.js';

const READ_ONLY = 'the database takes no writes (read_only): calls that charge are answered 503';
const FULL = 'the disk of the database is full: calls that charge are answered 503; free space there, or give it more';

/** Checks whether this build can work with its database. */
@Injectable()
export class DatabaseHealth {
  private readonly logger = new Logger('Database');
  private readonly disk: DiskSpace;
  private takesWrites = true;
  private wasFull = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connector: DatabaseConnector,
    { database }: AppSecrets,
  ) {
    this.disk = diskOf(database);
  }

  /**
   * False while the server of the last check was read-only, or a write found its disk full in the last seconds. The
   * service goes on with what needs no writes.
   */
  get isWritable(): boolean {
    return this.takesWrites && !this.disk.isFull;
  }

  /** Problems for the operator to fix, one line each. */
  get warnings(): readonly string[] {
    return [...(this.takesWrites ? [] : [READ_ONLY]), ...(this.disk.isFull ? [FULL] : [])];
  }

  /** @throws Error with a message for operators that says why this process is not ready */
  async check(): Promise<void> {
    if (!this.connector.connected) throw this.connector.refusal ?? new Error('the database has not been reached yet');
    const [pending, isWritable] = await this.ask().catch((error: unknown) => {
      throw error instanceof SessionRefused ? error : new Error('the database does not answer', { cause: error });
    });
    this.takesWrites = isWritable;
    this.logDisk();
    if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`);
  }

  /** Once when it fills up, and once when there is space again. */
  private logDisk(): void {
    const { isFull } = this.disk;
    if (isFull && !this.wasFull) this.logger.error(FULL);
    if (!isFull && this.wasFull) this.logger.log('the disk of the database has space again');
    this.wasFull = isFull;
  }

  private async ask(): Promise<[pending: readonly string[], isWritable: boolean]> {
    const pending = await pendingMigrations(this.dataSource);
    const [server] = await this.dataSource.query<{ mode: unknown }[]>('SELECT @@GLOBAL.read_only AS mode');
    // A number, or from MariaDB 12 on a word.
    return [pending, /^(0|OFF)$/i.test(String(server?.mode))];
  }
}
