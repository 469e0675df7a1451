import { MaintenanceTask } from '../platform/queues/maintenance-task.js';
import type { ExpiredJob, ExpiredJobsRepository } from './expired-jobs.repository.js';

/** Rows of one transaction: it holds its locks for some milliseconds. */
const ROWS = 1000;
const JOBS = 50;
/** Other tasks of the queue wait meanwhile. */
const MAX_RUN_MS = 10_000;

/** Deletes jobs that were kept long enough or deleted by their owners (decisions 7.2). */
export class ExpiredJobsTask extends MaintenanceTask {
  readonly name = 'delete-expired-jobs';
  readonly everyMs = 60_000;

  constructor(private readonly expired: ExpiredJobsRepository) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    const goesOn = (): boolean => !signal.aborted && performance.now() < until;
    for (;;) {
      const jobs = await this.expired.find(JOBS);
      for (const job of jobs) {
        if (!(await this.delete(job, goesOn))) return;
      }
      if (jobs.length < JOBS) return;
    }
  }

  /** The job's own row goes last: what is interrupted is found again. @returns false when it was */
  private async delete({ id, total }: ExpiredJob, goesOn: () => boolean): Promise<boolean> {
    for (let from = 0; from < total; from += ROWS) {
      if (!goesOn()) return false;
      await this.expired.deleteEntries(id, from, Math.min(from + ROWS, total));
    }
    const numbers = await this.expired.chunkNumbers(id);
    for (let from = 0; from < numbers; from += ROWS) {
      if (!goesOn()) return false;
      await this.expired.deleteChunks(id, from, Math.min(from + ROWS, numbers));
    }
    if (!goesOn()) return false;
    await this.expired.deleteJob(id);
    return true;
  }
}
