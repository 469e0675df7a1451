import type { ExecuteValues, PoolConnection } from 'mysql2';
import type { EntityManager } from 'typeorm';

/**
 * Runs a prepared statement in a transaction, with its values sent separately: for untrusted text. Use it only for a
 * small fixed set of statements: each stays prepared on its connection.
 * @throws the driver's error
 */
export async function runBound(
  transaction: EntityManager,
  sql: string,
  values: readonly (string | number | Buffer)[],
): Promise<void> {
  const { dataSource, queryRunner } = transaction;
  const connection = (await queryRunner!.connect()) as PoolConnection;
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    connection.execute(sql, values as ExecuteValues, (error) => {
      if (error === null) return resolve();
      dataSource.logger.logQueryError(error, sql);
      reject(error);
    });
  });
  const tookMs = performance.now() - began;
  if (tookMs > (dataSource.options.maxQueryExecutionTime ?? Number.POSITIVE_INFINITY))
    dataSource.logger.logQuerySlow(Math.round(tookMs), sql);
}
