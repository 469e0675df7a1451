import type { Logger } from 'typeorm';

/**
 * For the operator command, which must print nothing but its result. TypeORM's own loggers always write migrations and
 * slow statements to the console.
 */
export const silentQueryLogger: Logger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};
