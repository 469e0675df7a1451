import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { DomainRecords } from '../../domains/store/domain-records.js';
import type { Knowledge } from '../../engine/assess.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { readListEntry } from '../../verify/batch-entry.js';
import type { KnownDomain } from '../../verify/judge.js';
import type { JobMode } from '../job.js';
import type { ShapeRepository, ShapedEntry } from './shape.repository.js';
import { shape, type ReadEntry, type ShapingTerms } from './shaping.js';

export interface ShaperParts {
  readonly jobs: Pick<ShapeRepository, 'begin' | 'entries' | 'write' | 'complete'>;
  readonly catchAll: Pick<CatchAllRepository, 'find'>;
  readonly records: Pick<DomainRecords, 'look'>;
  readonly knowledge: Knowledge;
  readonly onCompleted?: () => void;
  readonly onResult?: ShapingTerms['onResult'];
}

/** Entries read, judged and written in one go. */
const PAGE = 500;

/** Shapes the results of jobs whose entries all have their outcome, once (decisions 7.2). */
export class Shaper {
  constructor(private readonly parts: ShaperParts) {}

  /** @param stop aborted when the process stops: what is shaped stays so */
  async run(jobId: string, stop: AbortSignal): Promise<JobEnding> {
    const { jobs, onCompleted } = this.parts;
    const job = await jobs.begin(jobId);
    if (job === null) return OVER;
    let next = this.page(jobId, 0, job.mode);
    for (let from = 0; from < job.total; from += PAGE) {
      if (stop.aborted) return { kind: 'again', afterMs: 0 };
      const shaped = await next;
      // Read and judged while the one before is written.
      next = from + PAGE < job.total ? this.page(jobId, from + PAGE, job.mode) : NOTHING;
      if (shaped.length > 0 && !(await jobs.write(jobId, shaped))) return OVER;
    }
    if (await jobs.complete(jobId)) onCompleted?.();
    return OVER;
  }

  /** Whoever awaits it hears of its failure; where nobody does any more, nobody has to. */
  private page(jobId: string, from: number, mode: JobMode): Promise<ShapedEntry[]> {
    const page = this.readAndShape(jobId, from, mode);
    page.catch(() => undefined);
    return page;
  }

  private async readAndShape(jobId: string, from: number, mode: JobMode): Promise<ShapedEntry[]> {
    const entries = await this.parts.jobs.entries(jobId, from, from + PAGE);
    if (entries.length === 0) return [];
    return this.shape(
      entries.map((entry) => ({ ...entry, read: readListEntry(entry.sent) })),
      mode,
    );
  }

  private async shape(entries: readonly ReadEntry[], mode: JobMode): Promise<ShapedEntry[]> {
    const { knowledge, catchAll, records, onResult } = this.parts;
    const domains = [...new Set(entries.flatMap(({ read }) => (read.kind === 'address' ? [read.address.domain] : [])))];
    const [catchAlls, crawled] = await Promise.all([catchAll.find(domains), records.look(domains)]);
    const knownOf = (domain: string): KnownDomain => ({
      catchAll: catchAlls.has(domain),
      crawled: crawled.get(domain) ?? null,
    });
    const terms = { mode, knowledge, knownOf, ...(onResult && { onResult }) };
    return entries.map((entry) => shape(entry, terms));
  }
}

const NOTHING: Promise<ShapedEntry[]> = Promise.resolve([]);
