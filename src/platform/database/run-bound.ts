import type { ExecuteValues, PoolConnection } from 'mysql2';
import type { EntityManager } from 'typeorm';

/**
 * A statement of a transaction whose values go beside its text (a prepared statement): for text of strangers. Of the same
 * few statements only: each of them stays prepared on its connection.
 * @throws what the driver throws
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
    connection.execute(sql, values as ExecuteValues, (error) => (error ? reject(error) : resolve()));
  });
  const tookMs = performance.now() - began;
  if (tookMs > (dataSource.options.maxQueryExecutionTime ?? Number.POSITIVE_INFINITY))
    dataSource.logger.logQuerySlow(Math.round(tookMs), sql);
}
