import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseConnector } from './database-connector.js';
import { pendingMigrations } from './pending-migrations.js';
import { SessionRefused } from './session.js';

/** Checks whether this build can work with its database. */
@Injectable()
export class DatabaseHealth {
  private takesWrites = true;

  constructor(
    private readonly dataSource: DataSource,
    private readonly connector: DatabaseConnector,
  ) {}

  /** False while the server of the last check was read-only. The service goes on with what needs no writes. */
  get isWritable(): boolean {
    return this.takesWrites;
  }

  /** Problems for the operator to fix, one line each. */
  get warnings(): readonly string[] {
    return this.takesWrites ? [] : ['the database takes no writes (read_only): calls that charge are answered 503'];
  }

  /** @throws Error with a message for operators that says why this process is not ready */
  async check(): Promise<void> {
    if (!this.connector.connected) throw this.connector.refusal ?? new Error('the database has not been reached yet');
    const [pending, isWritable] = await this.ask().catch((error: unknown) => {
      throw error instanceof SessionRefused ? error : new Error('the database does not answer', { cause: error });
    });
    this.takesWrites = isWritable;
    if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`);
  }

  private async ask(): Promise<[pending: readonly string[], isWritable: boolean]> {
    const pending = await pendingMigrations(this.dataSource);
    const [server] = await this.dataSource.query<{ mode: unknown }[]>('SELECT @@GLOBAL.read_only AS mode');
    // A number, or from MariaDB 12 on a word.
    return [pending, /^(0|OFF)$/i.test(String(server?.mode))];
  }
}
