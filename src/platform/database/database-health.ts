import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DatabaseConnector } from './database-connector.js';
import { pendingMigrations } from './pending-migrations.js';
import { SessionRefused } from './session.js';

/** Checks whether this build can work with its database. */
@Injectable()
export class DatabaseHealth {
  constructor(
    private readonly dataSource: DataSource,
    private readonly connector: DatabaseConnector,
  ) {}

  /** @throws Error with a message for operators that says why this process is not ready */
  async check(): Promise<void> {
    if (!this.connector.connected) throw this.connector.refusal ?? new Error('the database has not been reached yet');
    const pending = await pendingMigrations(this.dataSource).catch((error: unknown) => {
      throw error instanceof SessionRefused ? error : new Error('the database does not answer', { cause: error });
    });
    if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`);
  }
}
