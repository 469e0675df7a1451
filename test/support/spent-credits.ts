import type { Connection, RowDataPacket } from 'mysql2/promise';

/** Purchased credits that were spent by now and not given back, over all accounts. */
export async function spentCredits(database: Pick<Connection, 'query'>): Promise<number> {
  const [[row]] = await database.query<(RowDataPacket & { n: string })[]>(
    "SELECT COALESCE(-SUM(purchased), 0) AS n FROM ledger_entries WHERE kind IN ('charge', 'refund')",
  );
  return Number(row?.n);
}
