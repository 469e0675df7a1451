import type { EntityManager } from 'typeorm';
import { readJson } from '../../platform/database/read-json.js';
import { noVerdicts, type VerdictCounts } from '../job.js';
import { RESULTS_TOGETHER } from '../joined-results.js';

type Counted = Partial<VerdictCounts>;

/**
 * Results that stand in the rows of their entries. A worker of an earlier release may have written them beside the rows of
 * `job_results`, which count then.
 */
const COUNT_OWN = `SELECT IF(error IS NULL, IFNULL(JSON_UNQUOTE(JSON_EXTRACT(result, '$.result')), 'error'), 'error') AS verdict,
    COUNT(*) AS entries
  FROM job_entries AS e WHERE job_id = ? AND result IS NOT NULL AND (error = 'invalid_email' OR NOT EXISTS (
    SELECT 1 FROM job_results AS r WHERE r.job_id = e.job_id AND r.position = e.position - e.position % ${RESULTS_TOGETHER}
  )) GROUP BY verdict`;

/** Counts the results of a job. The transaction must hold the job's row, so that no page is written meanwhile. */
export async function countVerdicts(transaction: EntityManager, job: Buffer): Promise<VerdictCounts> {
  const counts = noVerdicts();
  const add = (verdict: keyof VerdictCounts, entries: number): void => {
    counts[verdict] += entries;
  };
  const joined = await transaction.sql<{ counts: Counted | string }[]>`
    SELECT counts FROM job_results WHERE job_id = ${job}`;
  for (const row of joined) {
    for (const [verdict, entries] of Object.entries(readJson(row.counts))) add(verdict as keyof VerdictCounts, entries);
  }
  const rows = await transaction.query<{ verdict: keyof VerdictCounts; entries: string | number }[]>(COUNT_OWN, [job]);
  for (const { verdict, entries } of rows) add(verdict, Number(entries));
  return counts;
}

/** Returns the number of results counted. */
export function totalOf(counts: VerdictCounts): number {
  return Object.values(counts).reduce((sum, entries) => sum + entries, 0);
}
