import { createConnection, type Connection } from 'mysql2/promise';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { makeAccounts } from './bench-accounts.js';
import { verdictOf } from './job-world.js';
import type { OwnService } from './own-service.js';

/** Rare polls, so that they do not burden the service. The database has the time of completion. */
const LOOK_EVERY_MS = 250;
const LONGEST_JOBS_MS = 300_000;

interface Entry {
  readonly email: string;
  readonly result?: string;
  readonly reason?: string | null;
}

/** Runs jobs of its own account, from submit to the check of their results. */
export class JobRuns {
  private constructor(
    private readonly service: OwnService,
    private readonly key: string,
    private readonly database: Connection,
  ) {}

  static async open(service: OwnService): Promise<JobRuns> {
    const [account] = await makeAccounts(service.databaseUrl, 1);
    return new JobRuns(service, account!.key, await createConnection({ uri: service.databaseUrl, timezone: 'Z' }));
  }

  /**
   * Submits one job per list, and waits until all are completed.
   * @returns milliseconds from the first submit to the last completion
   * @throws Error for an unexpected result
   */
  async run(lists: readonly (readonly string[])[]): Promise<number> {
    const { ids, tookMs } = await this.complete(lists);
    await this.check(ids, lists);
    return tookMs;
  }

  /** As `run`, but reads no result: reading is no work of a worker. */
  async complete(
    lists: readonly (readonly string[])[],
  ): Promise<{ readonly ids: readonly string[]; readonly tookMs: number }> {
    const ids: string[] = [];
    for (const emails of lists) ids.push(await this.submit(emails));
    return { ids, tookMs: await this.completed(ids) };
  }

  /** @throws Error for an unexpected result */
  async check(ids: readonly string[], lists: readonly (readonly string[])[]): Promise<void> {
    for (const [i, id] of ids.entries()) await this.checkJob(id, lists[i]!);
  }

  /** @returns the job's id */
  async submit(emails: readonly string[]): Promise<string> {
    const response = await fetch(`${this.service.url}/v1/verify/jobs`, {
      method: 'POST',
      headers: { 'x-api-key': this.key, 'content-type': 'application/json' },
      body: JSON.stringify({ emails }),
    });
    const answer = (await response.json()) as { id: string };
    if (response.status !== 202) throw new Error(`a submit is answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.id;
  }

  /** The job's answer as it is sent. */
  read(id: string): Promise<Response> {
    return fetch(`${this.service.url}/v1/verify/jobs/${id}`, { headers: { 'x-api-key': this.key } });
  }

  async close(): Promise<void> {
    await this.database.end();
  }

  private async completed(ids: readonly string[]): Promise<number> {
    const until = performance.now() + LONGEST_JOBS_MS;
    while (performance.now() < until) {
      const [[row]] = (await this.database.query(
        `SELECT SUM(status <> 'completed') AS waiting,
            TIMESTAMPDIFF(MICROSECOND, MIN(created_at), MAX(completed_at)) / 1000 AS tookMs FROM jobs WHERE id IN (?)`,
        [ids.map(idToBytes)],
      )) as unknown as [[{ waiting: string; tookMs: string }]];
      if (Number(row.waiting) === 0) return Number(row.tookMs);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    throw new Error('jobs are not completed');
  }

  private async checkJob(id: string, emails: readonly string[]): Promise<void> {
    const { results } = (await (await this.read(id)).json()) as { results: readonly Entry[] };
    if (results.length !== emails.length) throw new Error(`${results.length} results for ${emails.length} addresses`);
    for (const [position, entry] of results.entries()) {
      const { result, reason } = verdictOf(emails[position]!);
      if (entry.email === emails[position] && entry.result === result && entry.reason === reason) continue;
      throw new Error(`${emails[position]}: ${JSON.stringify(entry)}, not ${result}, ${reason}`);
    }
  }
}
