import { charged, type CallOptions, type ChargedCallOptions, type Connection } from './connection.js';
import { pause } from './pause.js';
import type { Entry, Job, JobList, JobProgress, SubmitJobRequest } from './types.js';

export interface JobListQuery {
  /** Jobs on a page, at most 100; 20 when left out. */
  readonly limit?: number | undefined;
  /** `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

export interface CsvQuery {
  /** The column of addresses, by its name or its number from 1 on; the first that holds one when left out. */
  readonly column?: string | number | undefined;
  /** Whether the first row has the names of the columns; when left out, it has if it holds no address. */
  readonly header?: boolean | undefined;
  readonly mode?: 'standard' | 'enhanced' | undefined;
  readonly name?: string | undefined;
}

export interface ResultsQuery {
  /** Position of the first result. */
  readonly offset?: number | undefined;
  /** At most so many results. */
  readonly limit?: number | undefined;
}

/** Where an answer does not say when to ask again. */
const USUAL_INTERVAL_MS = 2000;
const PAGE = 1000;

/** Lists of up to 10,000 addresses, verified in the background. */
export class Jobs {
  constructor(private readonly connection: Connection) {}

  /** Stores a list and pays for it; workers verify it. */
  async submit(request: SubmitJobRequest, options: ChargedCallOptions = {}): Promise<JobProgress> {
    const call = { ...charged(options), path: '/v1/verify/jobs', json: request };
    return (await this.connection.send<JobProgress>(call, options)).body;
  }

  /** The same for a file of comma-separated values, in UTF-8. */
  async submitCsv(
    csv: string | Uint8Array,
    query: CsvQuery = {},
    options: ChargedCallOptions = {},
  ): Promise<JobProgress> {
    const raw = { type: 'text/csv', content: csv };
    const call = { ...charged(options), path: '/v1/verify/jobs', query, raw };
    return (await this.connection.send<JobProgress>(call, options)).body;
  }

  /** How far a job is. */
  async get(id: string, options: CallOptions = {}): Promise<JobProgress> {
    return (await this.read(id, options)).job;
  }

  /** Tells how far a job is, as often as the service advises, and ends once it is completed. */
  async *wait(id: string, options: CallOptions = {}): AsyncGenerator<JobProgress, void, void> {
    for (;;) {
      const { job, retryAfterMs } = await this.read(id, options);
      yield job;
      if (job.status === 'completed') return;
      await pause(retryAfterMs ?? USUAL_INTERVAL_MS, options.signal);
    }
  }

  /** Waits for the end of a job, then reads its results in the order sent, a page at a time. */
  async *results(id: string, options: CallOptions = {}): AsyncGenerator<Entry, void, void> {
    let total = 0;
    for await (const job of this.wait(id, options)) total = job.total;
    for (let offset = 0; offset < total; offset += PAGE) {
      yield* (await this.page(id, { offset, limit: PAGE }, options)).results ?? [];
    }
  }

  /** A job with some of its results, which it has once it is completed. */
  async page(id: string, query: ResultsQuery, options: CallOptions = {}): Promise<Job> {
    return (await this.connection.send<Job>(readOf(id, query), options)).body;
  }

  /** The jobs of the account, newest first. */
  async list(query: JobListQuery = {}, options: CallOptions = {}): Promise<JobList> {
    const call = { method: 'GET', path: '/v1/verify/jobs', query, repeatable: 'yes' } as const;
    return (await this.connection.send<JobList>(call, options)).body;
  }

  /** Deletes a completed job before its time. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.connection.send({ method: 'DELETE', path: pathOf(id), repeatable: 'yes' }, options);
  }

  private async read(id: string, options: CallOptions) {
    // A completed job comes with its results, which nobody asked for here.
    const { body, retryAfterMs } = await this.connection.send<Job>(readOf(id, { limit: 1 }), options);
    const { results: _, ...job } = body;
    return { job, retryAfterMs };
  }
}

function readOf(id: string, query: ResultsQuery) {
  return { method: 'GET', path: pathOf(id), query, repeatable: 'yes' } as const;
}

function pathOf(id: string): string {
  return `/v1/verify/jobs/${encodeURIComponent(id)}`;
}
