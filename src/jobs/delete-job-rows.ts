import type { ExpiredJob, ExpiredJobsRepository } from './expired-jobs.repository.js';

/** Rows per transaction, which holds its locks for some milliseconds. */
const ROWS = 1000;

/**
 * Deletes an expired job. The job's own row goes last, so that an interrupted deletion is found again.
 * @param goesOn called before each transaction
 * @returns false if it was interrupted
 */
export async function deleteJobRows(
  repository: Pick<
    ExpiredJobsRepository,
    'deleteEntries' | 'deleteResults' | 'chunkNumbers' | 'deleteOutcomes' | 'deleteChunks' | 'deleteJob'
  >,
  { id, total }: ExpiredJob,
  goesOn: () => boolean = () => true,
): Promise<boolean> {
  for (let from = 0; from < total; from += ROWS) {
    if (!goesOn()) return false;
    const to = Math.min(from + ROWS, total);
    await repository.deleteResults(id, from, to);
    await repository.deleteEntries(id, from, to);
  }
  const numbers = await repository.chunkNumbers(id);
  for (let from = 0; from < numbers; from += ROWS) {
    if (!goesOn()) return false;
    const to = Math.min(from + ROWS, numbers);
    await repository.deleteOutcomes(id, from, to);
    await repository.deleteChunks(id, from, to);
  }
  if (!goesOn()) return false;
  await repository.deleteJob(id);
  return true;
}
