import type { Knowledge } from '../../engine/assess.js';
import type { Result } from '../../engine/verdict/result.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { readListEntry } from '../../verify/batch-entry.js';
import type { JobMode } from '../job.js';
import type { JobToWrite, ResultPagesRepository, WrittenEntry } from './result-pages.repository.js';
import { entryResult, type ReadEntry, type EntryResultOptions } from './entry-result.js';
import { KnownDomains, type KnownDomainsParts } from './known-domains.js';

export interface ResultWriterParts extends KnownDomainsParts {
  readonly jobs: Pick<ResultPagesRepository, 'beginWriting' | 'entries' | 'joinedFacts' | 'write' | 'complete'>;
  readonly knowledge: Knowledge;
  readonly onCompleted?: () => void;
  readonly onResult?: EntryResultOptions['onResult'];
  /** Called with the verdicts of each page that was written. */
  readonly onWritten?: (job: JobToWrite, verdicts: readonly Result[]) => void;
}

type PagesEnd = 'written' | 'stopped' | 'superseded';

/** Entries read, judged and written together. */
const PAGE = 500;
/** As many as keep the main thread busy while others are read or committed. */
const PAGES_AT_ONCE = 6;

/** Writes the results of jobs whose entries all have their outcome, once (decisions 7.2). */
export class ResultWriter {
  constructor(private readonly parts: ResultWriterParts) {}

  /** @param stop aborts at shutdown: results that are written remain */
  async writeResults(jobId: string, stop: AbortSignal): Promise<JobEnding> {
    const { jobs, onCompleted } = this.parts;
    const job = await jobs.beginWriting(jobId);
    if (job === null) return OVER;
    const end = await this.writeAll(jobId, job, stop);
    if (end === 'stopped') return { kind: 'again', afterMs: 0 };
    if (end === 'written' && (await jobs.complete(jobId))) onCompleted?.();
    return OVER;
  }

  /**
   * Processes a few pages at once: one is judged while the database writes others. Returns `superseded` if another
   * worker completed the job. Rejects only after every page has stopped.
   */
  private async writeAll(jobId: string, job: JobToWrite, stop: AbortSignal): Promise<PagesEnd> {
    const pages = pagesOf(job.total);
    const joined = await this.parts.jobs.joinedFacts(jobId);
    const known = new KnownDomains(this.parts);
    // A worker that leaves the loop closes the shared generator, even by a failure, and so stops the others.
    const work = async (): Promise<PagesEnd> => {
      for (const from of pages) {
        if (stop.aborted) return 'stopped';
        const results = await this.judge(await this.read(jobId, from, joined), job.mode, known);
        if (results.length === 0) continue;
        if (!(await this.parts.jobs.write(jobId, results))) return 'superseded';
        this.parts.onWritten?.(job, verdictsOf(results));
      }
      return 'written';
    };
    const ends = await Promise.allSettled(Array.from({ length: PAGES_AT_ONCE }, work));
    let end: PagesEnd = 'written';
    for (const each of ends) {
      if (each.status === 'rejected') throw each.reason;
      if (each.value !== 'written') end = each.value;
    }
    return end;
  }

  private async read(jobId: string, from: number, joined: ReadonlyMap<number, string>): Promise<ReadEntry[]> {
    const entries = await this.parts.jobs.entries(jobId, from, from + PAGE);
    return entries.map((entry) => {
      const facts = entry.facts ?? joined.get(entry.position);
      return { ...entry, facts, read: readListEntry(entry.sent) };
    });
  }

  private async judge(entries: readonly ReadEntry[], mode: JobMode, known: KnownDomains): Promise<WrittenEntry[]> {
    const { knowledge, onResult } = this.parts;
    await known.lookUp(entries.flatMap(({ read }) => (read.kind === 'address' ? [read.address.domain] : [])));
    const terms = { mode, knowledge, knownOf: (domain: string) => known.of(domain), ...(onResult && { onResult }) };
    return entries.map((entry) => entryResult(entry, terms));
  }
}

function verdictsOf(entries: readonly WrittenEntry[]): Result[] {
  return entries.flatMap(({ verdict }) => verdict ?? []);
}

/** Yields the first position of each page. */
function* pagesOf(total: number): Generator<number> {
  for (let from = 0; from < total; from += PAGE) yield from;
}
