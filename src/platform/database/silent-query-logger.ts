import type { Logger } from 'typeorm';

/**
 * For the operator command, whose output is its answer and nothing else. TypeORM's own loggers write migrations and slow
 * statements to the console whatever they are told.
 */
export const silentQueryLogger: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};
