import type { DataSourceOptions } from 'typeorm';
import type { DatabaseTarget } from '../config/database-url.js';
import { tracing } from '../tracing/tracing.js';
import { hostsOf } from './hosts/database-hosts.js';
import { mysqlDriver } from './mysql-driver.js';
import { silentQueryLogger } from './silent-query-logger.js';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';

const POOL_SIZE = 20;
const CONNECT_TIMEOUT_MS = 3000;
const SLOW_STATEMENT_MS = 1000;

/**
 * Connection options of every process. `type` is `mysql` for MariaDB too: the `mariadb` type only adds RETURNING, which
 * MySQL 8 lacks. BIGINT, DECIMAL and COUNT(*) arrive as strings; DATETIME is UTC on both sides. Nothing is logged:
 * servers add `QueryLogger`, and commands must not wait for Nest to load.
 * @param silenceMs see `mysqlDriver`
 */
export function dataSourceOptions(target: DatabaseTarget, silenceMs: number) {
  const driver = mysqlDriver(silenceMs, hostsOf(target));
  return {
    type: 'mysql',
    driver: tracing()?.driver(driver) ?? driver,
    host: target.host,
    port: target.port,
    username: target.user,
    password: target.password,
    database: target.database,
    ...(target.tls ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: true,
    namingStrategy: new SnakeNamingStrategy(),
    connectTimeout: CONNECT_TIMEOUT_MS,
    poolSize: POOL_SIZE,
    maxQueryExecutionTime: SLOW_STATEMENT_MS,
    logger: silentQueryLogger,
    migrationsTableName: 'migrations',
    synchronize: false,
  } satisfies DataSourceOptions;
}
