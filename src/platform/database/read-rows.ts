import type { DataSource } from 'typeorm';
import { askPool } from './ask-pool.js';

/**
 * Runs a SELECT that requests wait for.
 * @throws the driver's error, for `isConnectionLost`
 */
export function readRows<Row>(dataSource: DataSource, sql: string, values: readonly unknown[]): Promise<Row[]> {
  return askPool<Row[]>(dataSource, sql, values);
}
