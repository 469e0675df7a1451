import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suggestCorrection } from '../../engine/address/suggest-correction.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { JobRepository } from '../../jobs/job.repository.js';
import { ResultPages, type ResultPage } from '../../jobs/result-pages.js';
import { BoundedSemaphore } from '../../platform/scheduling/bounded-semaphore.js';
import type { EntryError } from '../../verify/verify-batch.response.js';
import type { VerifyResult } from '../../verify/verify.response.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { gradeOf } from './grade.js';
import { ListsRepository, type List, type ListJob } from './lists.repository.js';
import type { ListSummary } from './lists.response.js';
import { addSummaries, ResultTally, type PartSummary } from './summarize-results.js';

/** Lists that are summed up at once: each takes a second or more of this process the first time. */
const PERMITS = 2;
const MAX_WAITING = 50;
const MAX_WAIT_MS = 30_000;

/** The results of completed lists, read part by part from their jobs. */
@Injectable()
export class ListResultsService {
  private readonly semaphore = new BoundedSemaphore({
    permits: PERMITS,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  constructor(
    private readonly lists: ListsRepository,
    private readonly jobs: JobRepository,
    private readonly pages: ResultPages,
  ) {}

  /**
   * Opens the results at positions of the whole list, in its order.
   * @param hold called with the length of each page before it is yielded; if it throws, reading ends
   * @throws AppError `not_found` if a part was deleted as a job
   */
  async open(
    list: List,
    offset: number,
    limit: number,
    hold: (characters: number) => void,
  ): Promise<AsyncGenerator<ResultPage>> {
    requireAllParts(list);
    const ranges = rangesOf(list.jobs, offset, limit);
    const [first, ...rest] = ranges;
    // A failure to begin is an answer of its own, so the first part is opened before the answer begins.
    const opened = first === undefined ? null : await this.openPart(first, hold);
    return this.chain(opened, rest, hold);
  }

  /** @throws AppError `not_found` if a part was deleted as a job */
  async summary(list: List): Promise<ListSummary> {
    const summaries = new Map(await this.lists.summaries(list.id));
    if (list.jobs.some(({ part }) => !summaries.has(part))) {
      requireAllParts(list);
      await this.semaphore.run(async () => {
        for (const job of list.jobs) {
          if (summaries.has(job.part)) continue;
          const summary = await this.sumUp(job);
          await this.lists.storeSummary(list.id, job.part, summary);
          summaries.set(job.part, summary);
        }
      });
    }
    return toSummary(addSummaries([...summaries.values()]));
  }

  private async *chain(
    opened: AsyncGenerator<ResultPage> | null,
    rest: readonly PartRange[],
    hold: (characters: number) => void,
  ): AsyncGenerator<ResultPage> {
    if (opened !== null) yield* withFactsAdded(opened);
    for (const range of rest) yield* withFactsAdded(await this.openPart(range, hold));
  }

  private openPart({ jobId, from, to }: PartRange, hold: (characters: number) => void) {
    return this.pages.open((at, end) => this.jobs.results(jobId, at, end), from, to, hold);
  }

  private async sumUp({ jobId, total }: ListJob): Promise<PartSummary> {
    const tally = new ResultTally();
    const pages = await this.openPart({ jobId, from: 0, to: total }, () => undefined);
    for await (const page of pages) {
      for (const text of page) tally.add(JSON.parse(text) as VerifyResult | EntryError);
      await nextTurn();
    }
    return tally.summary;
  }
}

interface PartRange {
  readonly jobId: string;
  readonly from: number;
  readonly to: number;
}

/** The part of each job that lies between these positions of the list. */
function rangesOf(jobs: readonly ListJob[], offset: number, limit: number): PartRange[] {
  let start = 0;
  return jobs.flatMap(({ jobId, total }) => {
    const [from, to] = [Math.max(0, offset - start), Math.min(total, offset + limit - start)];
    start += total;
    return from < to ? [{ jobId, from, to }] : [];
  });
}

/** A job without its rows was deleted by its id. */
function requireAllParts({ jobs }: List): void {
  if (jobs.some(({ createdAt }) => createdAt.getTime() === 0)) throw noSuch('list any more: a job of it was deleted');
}

async function* withFactsAdded(pages: AsyncGenerator<ResultPage>): AsyncGenerator<ResultPage> {
  for await (const page of pages) yield page.map(withFactAdded);
}

function withFactAdded(text: string): string {
  const entry = JSON.parse(text) as VerifyResult | EntryError;
  if ('error' in entry) {
    const isNone = entry.error === 'invalid_email' && entry.email !== null;
    return withField(text, 'suggested_correction', isNone ? suggestCorrection(entry.email) : null);
  }
  return withField(text, 'provider', entry.mx_record === null ? null : (findProvider(entry.mx_record)?.id ?? null));
}

function withField(text: string, name: string, value: string | null): string {
  return `${text.slice(0, -1)},"${name}":${JSON.stringify(value)}}`;
}

function toSummary({ verdicts, reasons, errors, providers, decisions, deliverable, total }: PartSummary): ListSummary {
  return {
    verdicts,
    reasons: ranked({ ...reasons, ...errors }).map(([reason, count]) => ({ reason, count })),
    providers: ranked(providers).map(([provider, count]) => ({ provider, count })),
    decisions,
    deliverable,
    total,
    grade: gradeOf(verdicts),
  };
}

function ranked(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).toSorted(([, a], [, b]) => b - a);
}
