import type { Pool, QueryResult } from 'mysql2';
import type { DataSource } from 'typeorm';

/**
 * Runs a statement like `dataSource.query`, straight from its pool, for statements that requests wait for: TypeORM's runner,
 * entity manager, promises and stack trace add half the statement's cost again.
 * @throws the driver's error, for `isConnectionLost`
 */
export function askPool<Result>(dataSource: DataSource, sql: string, values: readonly unknown[]): Promise<Result> {
  // TypeORM reports a closed data source itself.
  if (!dataSource.isInitialized) return dataSource.query<Result>(sql, [...values]);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    poolOf(dataSource).getConnection((refusal, connection) => {
      if (refusal) return reject(refusal);
      connection.query<QueryResult>(sql, values as unknown[], (error, result) => {
        connection.release();
        const tookMs = performance.now() - began;
        if (tookMs > (dataSource.options.maxQueryExecutionTime ?? Number.POSITIVE_INFINITY))
          dataSource.logger.logQuerySlow(Math.round(tookMs), sql);
        if (error) reject(error);
        else resolve(result as Result);
      });
    });
  });
}

/** Untyped in TypeORM: the pool that our own driver's `createPool` made. */
function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { readonly pool: Pool }).pool;
}
