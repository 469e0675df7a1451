import type { Pool, RowDataPacket } from 'mysql2';
import type { DataSource } from 'typeorm';

/**
 * Runs a SELECT like `dataSource.query`, straight from its pool, for reads that requests wait for: TypeORM's runner,
 * entity manager, promises and stack trace add half the query's cost again.
 * @throws the driver's error, for `isConnectionLost`
 */
export function readRows<Row>(dataSource: DataSource, sql: string, values: readonly unknown[]): Promise<Row[]> {
  // TypeORM reports a closed data source itself.
  if (!dataSource.isInitialized) return dataSource.query<Row[]>(sql, [...values]);
  const began = performance.now();
  return new Promise((resolve, reject) => {
    poolOf(dataSource).getConnection((refusal, connection) => {
      if (refusal) return reject(refusal);
      connection.query<RowDataPacket[]>(sql, values as unknown[], (error, rows) => {
        connection.release();
        const tookMs = performance.now() - began;
        if (tookMs > (dataSource.options.maxQueryExecutionTime ?? Number.POSITIVE_INFINITY))
          dataSource.logger.logQuerySlow(Math.round(tookMs), sql);
        if (error) reject(error);
        else resolve(rows as Row[]);
      });
    });
  });
}

/** Untyped in TypeORM: the pool that our own driver's `createPool` made. */
function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { readonly pool: Pool }).pool;
}
