import type { List } from './lists.repository.js';
import type { ListResponse, ListStatus } from './lists.response.js';

type ChargedByJob = ReadonlyMap<string, { readonly credits: number; readonly freeVerifies: number }>;

/** A list as it is shown. Its pace is that of the jobs under way, since the first of them was submitted. */
export function toListResponse(list: List, charged: ChargedByJob): ListResponse {
  const { jobs } = list;
  const done = jobs.reduce((sum, job) => sum + job.done, 0);
  const submitted = jobs.reduce((sum, job) => sum + job.total, 0);
  const status = statusOf(list);
  const rate = paceOf(list);
  const left = list.total - done;
  return {
    id: list.id,
    name: list.name,
    file_name: list.fileName,
    mode: list.mode,
    status,
    total: list.total,
    submitted,
    done,
    parts: list.parts,
    parts_submitted: jobs.length,
    created_at: list.createdAt.toISOString(),
    completed_at: status === 'completed' ? lastOf(jobs.map(({ completedAt }) => completedAt!)).toISOString() : null,
    expires_at: list.expiresAt.toISOString(),
    rate_per_second: rate,
    seconds_left: rate === null || rate === 0 ? null : Math.ceil(left / rate),
    charged: {
      credits: jobs.reduce((sum, { jobId }) => sum + (charged.get(jobId)?.credits ?? 0), 0),
      free_verifies: jobs.reduce((sum, { jobId }) => sum + (charged.get(jobId)?.freeVerifies ?? 0), 0),
    },
    created_by: list.createdByName,
  };
}

export function statusOf({ jobs, parts }: Pick<List, 'jobs' | 'parts'>): ListStatus {
  if (jobs.length < parts) return 'uploading';
  return jobs.some(({ completedAt }) => completedAt === null) ? 'processing' : 'completed';
}

function paceOf({ jobs, now }: Pick<List, 'jobs' | 'now'>): number | null {
  const running = jobs.filter(({ completedAt }) => completedAt === null);
  if (running.length === 0) return null;
  const since = Math.min(...running.map(({ createdAt }) => createdAt.getTime()));
  const seconds = (now.getTime() - since) / 1000;
  const done = running.reduce((sum, job) => sum + job.done, 0);
  return seconds <= 0 ? null : Math.round((done / seconds) * 10) / 10;
}

function lastOf(times: readonly Date[]): Date {
  return new Date(Math.max(...times.map((time) => time.getTime())));
}
