import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../auth/caller.js';
import { parseDisplayName } from '../../auth/display-name.js';
import type { CreditHold } from '../../billing/holds/credit-hold.js';
import type { MeteredResponse } from '../../billing/metering/metered-response.js';
import type { StoredMeteredResponse } from '../../billing/metering/stored-metered-response.js';
import { FREE } from '../../billing/price.js';
import { JobsService } from '../../jobs/jobs.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import { newId } from '../../platform/ids/uuid.js';
import { noSuch } from '../../platform/ids/path-id.js';
import type { CreateListRequest } from './lists.request.js';
import type { PageRequest } from '../page.request.js';
import { ListsRepository, type List } from './lists.repository.js';
import type { ListPage, ListResponse, SubmittedPart } from './lists.response.js';
import { statusOf, toListResponse } from './to-list-response.js';

const RETRY_SECONDS = 1;
/** Lists that an account keeps, those without a part included. */
const MAX_LISTS = 500;

/** A part to submit. */
export interface PartToSubmit {
  readonly listId: string;
  /** From 1. */
  readonly number: number;
  readonly emails: readonly unknown[];
}

/** Lists of an account: each part is a job, stored and charged together with the part. */
@Injectable()
export class ListsService {
  constructor(
    private readonly lists: ListsRepository,
    private readonly jobs: JobsService,
  ) {}

  async create(
    accountId: string,
    { name, mode, file_name: fileName, parts, total }: CreateListRequest,
    userId: string,
    actor: Actor,
  ): Promise<ListResponse> {
    if (total < parts) throw new AppError('validation_failed', 'total must not be less than parts');
    const { lists: kept } = await this.lists.count(accountId);
    if (kept >= MAX_LISTS) {
      throw new AppError(
        'quota_exceeded',
        `An account keeps at most ${MAX_LISTS} lists; delete some, or wait until they expire.`,
      );
    }
    const id = newId();
    const list = { id, accountId, name: parseDisplayName(name)!, fileName, mode, parts, total, createdBy: userId };
    await this.lists.insert(list, actor);
    return this.read(accountId, id);
  }

  /** @throws AppError `not_found` */
  async read(accountId: string, id: string): Promise<ListResponse> {
    const list = await this.find(accountId, id);
    return toListResponse(list, await this.lists.charged(list.jobs.map(({ jobId }) => jobId)));
  }

  /** @throws AppError `not_found` */
  async find(accountId: string, id: string): Promise<List> {
    const list = await this.lists.find(accountId, id);
    if (list === null) throw noSuch('list');
    return list;
  }

  /** @throws AppError `not_found`, `job_processing` */
  async findCompleted(accountId: string, id: string): Promise<List> {
    const list = await this.find(accountId, id);
    if (statusOf(list) !== 'completed') throw new AppError('job_processing', 'The list is not completed yet.');
    return list;
  }

  async list(accountId: string, { cursor, limit }: PageRequest): Promise<ListPage> {
    const lists = await this.lists.list(accountId, cursor?.toLowerCase() ?? null, limit + 1);
    const page = lists.slice(0, limit);
    const charged = await this.lists.charged(page.flatMap(({ jobs }) => jobs.map(({ jobId }) => jobId)));
    return {
      lists: page.map((list) => toListResponse(list, charged)),
      next: lists.length > limit ? page.at(-1)!.id : null,
    };
  }

  /**
   * Submits a part as a job. The same part again gets the same answer and costs nothing, whatever became of the first answer.
   * @throws AppError `not_found`, `conflict` for other addresses than before, and what `JobsService.submit` throws
   */
  async submitPart(
    { listId, number, emails }: PartToSubmit,
    caller: Caller,
    hold: Pick<CreditHold, 'reserve'>,
    requestId: string,
  ): Promise<MeteredResponse | StoredMeteredResponse> {
    const list = await this.find(caller.accountId, listId);
    if (number < 1 || number > list.parts) throw noSuch('part');
    const content = createHash('sha256').update(JSON.stringify(emails)).digest();
    const stored = await this.lists.part(listId, number);
    if (stored !== null) return { status: 200, body: repeated(number, stored, content), price: FREE };
    requireRoom(list, emails.length);
    const job = await this.jobs.submit(
      { emails, mode: list.mode, name: list.name, webhook: true },
      caller,
      hold,
      requestId,
    );
    const jobId = job.reference.slice('job:'.length);
    const part = { listId, number, jobId, content, total: emails.length };
    const body: SubmittedPart = { part: number, job_id: jobId };
    return {
      ...job,
      status: 200,
      headers: {},
      body,
      storeHeld: async (transaction) => {
        // Other submits of the account wait: what is read here stays true until the commit.
        if ((await this.lists.part(listId, number, transaction)) !== null) throw storedMeanwhile();
        await job.storeHeld(transaction);
        if (!(await this.lists.insertPartWithin(transaction, part))) throw noSuch('list');
      },
    };
  }

  /** @throws AppError `not_found`, `job_processing` */
  async delete(accountId: string, id: string, actor: Actor): Promise<void> {
    const outcome = await this.lists.delete(accountId, id, actor);
    if (outcome === 'not_found') throw noSuch('list');
    if (outcome === 'processing') throw new AppError('job_processing', 'The list is still under way.');
  }
}

function repeated(
  number: number,
  { jobId, content: before }: { jobId: string; content: Buffer },
  content: Buffer,
): SubmittedPart {
  if (!before.equals(content)) {
    throw new AppError('conflict', 'This part was submitted before with other addresses.');
  }
  return { part: number, job_id: jobId };
}

function requireRoom({ jobs, total }: List, addresses: number): void {
  const submitted = jobs.reduce((sum, job) => sum + job.total, 0);
  if (submitted + addresses <= total) return;
  throw new AppError('conflict', `The list has ${total} addresses, and ${submitted} of them were submitted.`);
}

/** A repeat finds the part. */
function storedMeanwhile(): AppError {
  return new AppError('conflict', 'This part was submitted by another request at the same time; repeat.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
