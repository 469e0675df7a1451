import { Injectable } from '@nestjs/common';
import { UsageCounter } from '../../billing/usage/usage-counter.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { readListEntry } from '../../verify/batch-entry.js';
import { EngineProvider } from '../../verify/engine/engine-provider.js';
import { DomainRecords } from '../../verify/lookup/domain-records.js';
import type { JobMode } from '../job.js';
import { JobMetrics } from '../job-metrics.js';
import { ResultPagesRepository, type JobToWrite, type WrittenEntry } from './result-pages.repository.js';
import { entryResult, type ReadEntry } from './entry-result.js';
import { KnownDomains } from './known-domains.js';

type PagesEnd = 'written' | 'stopped' | 'superseded';

/** Entries read, judged and written together. */
const PAGE = 500;
/** As many as keep the main thread busy while others are read or committed. */
const PAGES_AT_ONCE = 6;

/** Writes the results of jobs whose entries all have their outcome, once (decisions 7.2). */
@Injectable()
export class ResultWriter {
  constructor(
    private readonly jobs: ResultPagesRepository,
    private readonly catchAll: CatchAllRepository,
    private readonly records: DomainRecords,
    private readonly engine: EngineProvider,
    private readonly metrics: JobMetrics,
    private readonly usage: UsageCounter,
  ) {}

  /** @param stop aborts at shutdown: results that are written remain */
  async writeResults(jobId: string, stop: AbortSignal): Promise<JobEnding> {
    const { jobs, metrics } = this;
    const job = await jobs.beginWriting(jobId);
    if (job === null) return OVER;
    const end = await this.writeAll(jobId, job, stop);
    if (end === 'stopped') return { kind: 'again', afterMs: 0 };
    if (end === 'written' && (await jobs.complete(jobId))) metrics.onCompleted();
    return OVER;
  }

  /**
   * Processes a few pages at once: one is judged while the database writes others. Returns `superseded` if another
   * worker completed the job. Rejects only after every page has stopped.
   */
  private async writeAll(jobId: string, job: JobToWrite, stop: AbortSignal): Promise<PagesEnd> {
    const pages = pagesOf(job.total);
    const joined = await this.jobs.joinedFacts(jobId);
    const known = new KnownDomains(this.catchAll, this.records);
    // A worker that leaves the loop closes the shared generator, even by a failure, and so stops the others.
    const work = async (): Promise<PagesEnd> => {
      for (const from of pages) {
        if (stop.aborted) return 'stopped';
        const results = await this.judge(await this.read(jobId, from, joined), job.mode, known);
        if (results.length === 0) continue;
        if (!(await this.jobs.write(jobId, results))) return 'superseded';
        for (const { verdict } of results) if (verdict !== undefined) this.usage.count(job, 'job', verdict);
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
    const entries = await this.jobs.entries(jobId, from, from + PAGE);
    return entries.map((entry) => {
      const facts = entry.facts ?? joined.get(entry.position);
      return { ...entry, facts, read: readListEntry(entry.sent) };
    });
  }

  private async judge(entries: readonly ReadEntry[], mode: JobMode, known: KnownDomains): Promise<WrittenEntry[]> {
    await known.lookUp(entries.flatMap(({ read }) => (read.kind === 'address' ? [read.address.domain] : [])));
    const { onResult } = this.metrics;
    const terms = { mode, knowledge: this.engine.knowledge, knownOf: (domain: string) => known.of(domain), onResult };
    return entries.map((entry) => entryResult(entry, terms));
  }
}

/** Yields the first position of each page. */
function* pagesOf(total: number): Generator<number> {
  for (let from = 0; from < total; from += PAGE) yield from;
}
