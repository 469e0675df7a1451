import type { JobHead, JobSummary } from './job.response.js';
import type { Job } from './job.js';

type JobHeadParts = Pick<Job, 'id' | 'status' | 'total' | 'done' | 'createdAt' | 'expiresAt'>;

export function toJobHead({ id, status, total, done, createdAt, expiresAt }: JobHeadParts): JobHead {
  return {
    id,
    status,
    total,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    progress: { total, done },
  };
}

/** Counts of a sandbox job are on record before it is completed. */
export function toJobSummary(job: Job): JobSummary {
  return { ...toJobHead(job), name: job.name, counts: job.status === 'completed' ? job.counts : null };
}

/** Assumed pace, entries per second, before a job has shown its own. */
const ENTRIES_PER_SECOND = 1000;
const MIN_RETRY_SECONDS = 2;
const MAX_RETRY_SECONDS = 60;
/** A client that polls again after a tenth of the elapsed time waits at most a tenth too long. */
const SHARE_OF_ELAPSED = 0.1;

/** Estimates the seconds until a job in progress is worth polling, by its pace so far; the sandbox is always quick. */
export function retryAfterSeconds(
  { sandbox, total, done, createdAt }: Pick<Job, 'sandbox' | 'total' | 'done' | 'createdAt'>,
  now = new Date(),
): number {
  if (sandbox) return MIN_RETRY_SECONDS;
  const elapsed = Math.max(0, now.getTime() - createdAt.getTime()) / 1000;
  const pace = elapsed >= MIN_RETRY_SECONDS ? done / elapsed : ENTRIES_PER_SECOND;
  const left = pace > 0 ? (total - done) / pace : elapsed;
  const guess = Math.ceil(Math.max(left, elapsed * SHARE_OF_ELAPSED));
  return Math.min(MAX_RETRY_SECONDS, Math.max(MIN_RETRY_SECONDS, guess));
}
