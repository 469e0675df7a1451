import type { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import { statement, type Statement } from '../../platform/database/statement.js';

/** Chunks per transaction. */
const AT_ONCE = 500;

/** Closes a job: it is not planned and its chunks are not run any more; a run in progress stores nothing more. */
export async function closeJob(dataSource: DataSource, jobId: string): Promise<void> {
  const job = idToBytes(jobId);
  const run = (change: Statement): Promise<{ affectedRows: number }> =>
    retriedTransaction(dataSource, (transaction) => change.run<{ affectedRows: number }>(transaction));
  await run(statement`
    UPDATE jobs SET stage = 'planned', touched_at = ${() => NOW} WHERE id = ${job} AND stage = 'new'`);
  for (;;) {
    const { affectedRows } = await run(statement`
      UPDATE job_chunks SET state = 'done', holder = NULL WHERE job_id = ${job} AND state = 'due'
        ORDER BY number LIMIT ${AT_ONCE}`);
    if (affectedRows < AT_ONCE) return;
  }
}
