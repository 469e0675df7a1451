import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';

/** Logs slow statements, without their parameters, which contain key hashes and addresses. */
export class QueryLogger implements TypeOrmLogger {
  private readonly logger = new Logger('Database');

  logQuerySlow(ms: number, query: string): void {
    this.logger.warn({ ms, query: query.slice(0, 500) }, 'slow statement');
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](String(message));
  }

  // The caller gets the error and knows whether it was expected.
  logQueryError(): void {}
  logQuery(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}
