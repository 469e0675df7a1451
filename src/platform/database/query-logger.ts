import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';
import type { DiskSpace } from './disk-space.js';

/** Logs slow statements, without their parameters, which contain key hashes and addresses. */
export class QueryLogger implements TypeOrmLogger {
  private readonly logger = new Logger('Database');

  constructor(private readonly disk: DiskSpace) {}

  logQuerySlow(ms: number, query: string): void {
    this.logger.warn({ ms, query: query.slice(0, 500) }, 'slow statement');
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](String(message));
  }

  // The caller gets the error and knows whether it was expected.
  logQueryError(error: unknown): void {
    this.disk.saw(error);
  }

  logQuery(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}
