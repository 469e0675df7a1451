import { Injectable } from '@nestjs/common';
import { ownerOf, type Caller } from '../auth/caller.js';
import { parseDisplayName } from '../auth/display-name.js';
import type { CreditHold } from '../billing/holds/credit-hold.js';
import { priceOf } from '../billing/price.js';
import type { StoredMeteredResponse } from '../billing/metering/stored-metered-response.js';
import { CatchAllRepository } from '../domains/catch-all/catch-all.repository.js';
import { AppError } from '../platform/errors/app-error.js';
import { noSuch } from '../platform/ids/path-id.js';
import { newId } from '../platform/ids/uuid.js';
import { addressesCounted, requireRoom } from './job-bounds.js';
import type { DueEndpoint } from '../webhooks/outbox/webhook-delivery.queue.js';
import { JobEventsRepository } from './job-events.repository.js';
import type { Job } from './job.js';
import { JobBatchProducer } from './job-batch.queue.js';
import { JobRepository, type NewJob } from './job.repository.js';
import { retryAfterSeconds, toJobHead } from './job-head.js';
import type { ListJobsRequest } from './list-jobs.request.js';
import { readNewEntries } from './new-entries.js';
import type { ReadJobRequest } from './read-job.request.js';
import { ResultPages, type ReadPage, type ResultPage } from './result-pages.js';
import { readSandboxEntries, sandboxEntryText } from './sandbox-entries.js';
import type { SubmitJobRequest } from './submit-job.request.js';

/** Opens the results of a job, page by page. @param hold called with the length of each page */
type OpenResults = (hold: (characters: number) => void) => Promise<AsyncGenerator<ResultPage>>;

/** A job, and a way to read its results. */
export interface ReadJob {
  readonly job: Job;
  /** Null while the job is in progress. */
  readonly open: OpenResults | null;
}

const RETENTION_DAYS = 7;
const DAY_MS = 24 * 60 * 60_000;
/** Maximum time that a submit waits for other submits of its account. */
const MAX_WAIT_MS = 5000;

/** Submits, reads, lists and deletes jobs of up to 10,000 addresses for their owners. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobRepository,
    private readonly results: ResultPages,
    private readonly catchAlls: CatchAllRepository,
    private readonly queue: JobBatchProducer,
    private readonly events: JobEventsRepository,
  ) {}

  /**
   * Submits a job and charges the account.
   * @throws AppError `quota_exceeded` or `insufficient_credits` before anything is stored
   */
  async submit(
    { emails, mode, name, webhook }: SubmitJobRequest,
    caller: Caller,
    hold: Pick<CreditHold, 'reserve'>,
    requestId?: string,
  ): Promise<StoredMeteredResponse> {
    const { jobs, queue, events } = this;
    const owner = ownerOf(caller);
    const sandbox = owner.sandbox ? await readSandboxEntries(emails, mode) : null;
    const entries =
      sandbox?.entries ?? (await readNewEntries(emails, mode, (domains) => this.catchAlls.findCatchAlls(domains)));
    const counted = addressesCounted(entries);
    // Refuses most submits over quota early. The binding check runs again where no other submit of the account can
    // interleave.
    requireRoom(await jobs.held(owner), caller.plan, counted);
    const price = priceOf(entries.map(({ unitPrice }) => unitPrice));
    await hold.reserve(price, MAX_WAIT_MS);
    const createdAt = await jobs.now();
    const job: NewJob = {
      id: newId(),
      owner,
      keyId: caller.keyId,
      sandbox: owner.sandbox,
      mode,
      name: name === null ? null : parseDisplayName(name),
      status: 'processing',
      total: entries.length,
      addressesCounted: counted,
      // Invalid addresses have their result already.
      done: entries.filter(({ result }) => result !== null).length,
      createdAt,
      completedAt: sandbox && new Date(createdAt.getTime() + sandbox.takesMs),
      expiresAt: new Date(createdAt.getTime() + RETENTION_DAYS * DAY_MS),
      counts: sandbox?.counts ?? null,
      webhook,
    };
    let due: readonly DueEndpoint[] = [];
    return {
      status: 202,
      body: toJobHead(job),
      headers: { Location: `/v1/verify/jobs/${job.id}`, 'Retry-After': String(retryAfterSeconds(job)) },
      reference: `job:${job.id}`,
      price,
      store: (transaction) => jobs.insertEntriesWithin(transaction, job.id, entries),
      storeHeld: async (transaction) => {
        requireRoom(await jobs.held(owner, transaction), caller.plan, counted);
        await jobs.insertWithin(transaction, job);
        if (job.completedAt === null || !webhook) return;
        const completed: Job = { ...job, status: 'completed', done: job.total };
        due = await events.writeWithin(transaction, owner, () => completed, job.completedAt);
      },
      stands: () => jobs.stands(job.id),
      after: () => {
        if (sandbox === null) queue.queuePlanning(job.id, requestId);
        else events.queue(due, sandbox.takesMs);
      },
    };
  }

  /** Reads a job and, once it is completed, how to read the requested results. @throws AppError `not_found` */
  async read(jobId: string, caller: Caller, { offset, limit }: ReadJobRequest): Promise<ReadJob> {
    const job = await this.jobs.findJob(ownerOf(caller), jobId);
    if (job === null) throw noSuch('job');
    if (job.status === 'processing') return { job, open: null };
    const to = Math.min(job.total, offset + limit);
    return { job, open: (hold) => this.results.open(this.pageReader(job), offset, to, hold) };
  }

  /** Lists a page of the account's jobs, newest first, with the cursor of the next page. */
  async list(caller: Caller, { cursor, limit }: ListJobsRequest): Promise<{ jobs: Job[]; next: string | null }> {
    const jobs = await this.jobs.list(ownerOf(caller), cursor?.toLowerCase() ?? null, limit + 1);
    const page = jobs.slice(0, limit);
    return { jobs: page, next: jobs.length > limit ? page.at(-1)!.id : null };
  }

  /** @throws AppError `not_found`, `job_processing` */
  async delete(jobId: string, caller: Caller): Promise<void> {
    const outcome = await this.jobs.delete(ownerOf(caller), jobId);
    if (outcome === 'not_found') throw noSuch('job');
    if (outcome === 'processing') throw new AppError('job_processing', 'The job is still under way.');
  }

  private pageReader({ id, sandbox, mode }: Job): ReadPage {
    const { jobs } = this;
    if (!sandbox) return (from, to) => jobs.results(id, from, to);
    return async (from, to) => (await jobs.entries(id, from, to)).map((entry) => sandboxEntryText(entry, mode));
  }
}
