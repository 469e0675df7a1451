import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';

/** Statements are logged when they are slow, and without their parameters, which hold keys' hashes and addresses. */
export class QueryLogger implements TypeOrmLogger {
  private readonly logger = new Logger('Database');

  logQuerySlow(ms: number, query: string): void {
    this.logger.warn({ ms, query: query.slice(0, 500) }, 'slow statement');
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    this.logger[level === 'warn' ? 'warn' : 'debug'](String(message));
  }

  // A statement that fails is thrown to its caller, who knows whether that was expected.
  logQueryError(): void {}
  logQuery(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
}
