import { verdictOf } from './job-world.js';
import type { OwnService } from './own-service.js';

const LOOK_EVERY_MS = 25;
const LONGEST_JOB_MS = 120_000;

interface Entry {
  readonly email: string;
  readonly result?: string;
  readonly reason?: string | null;
}

/** Submits a list. @returns the job's id, once the service has taken it */
export async function submitJob({ url }: OwnService, key: string, emails: readonly string[]): Promise<string> {
  const response = await fetch(`${url}/v1/verify/jobs`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ emails }),
  });
  const answer = (await response.json()) as { id: string };
  if (response.status !== 202) throw new Error(`a submit is answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer.id;
}

/** Resolves when a job is completed. */
export async function jobCompleted({ url }: OwnService, key: string, id: string): Promise<void> {
  const until = performance.now() + LONGEST_JOB_MS;
  while (performance.now() < until) {
    const response = await fetch(`${url}/v1/verify/jobs/${id}?limit=1`, { headers: { 'x-api-key': key } });
    const { status } = (await response.json()) as { status: string };
    if (status === 'completed') return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error('the job is not completed');
}

/** Reads the whole answer of a completed job. @throws Error for an entry that is not what it has to be */
export async function checkJob(
  { url }: OwnService,
  key: string,
  id: string,
  emails: readonly string[],
): Promise<void> {
  const response = await fetch(`${url}/v1/verify/jobs/${id}`, { headers: { 'x-api-key': key } });
  const { results } = (await response.json()) as { results: readonly Entry[] };
  if (results.length !== emails.length) throw new Error(`${results.length} results for ${emails.length} addresses`);
  for (const [position, entry] of results.entries()) {
    const { result, reason } = verdictOf(position);
    if (entry.email === emails[position] && entry.result === result && entry.reason === reason) continue;
    throw new Error(`${emails[position]}: ${JSON.stringify(entry)}, not ${result}, ${reason}`);
  }
}
