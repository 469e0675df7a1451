import { Injectable } from '@nestjs/common';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import { judgeDomain } from '../judge-domain.js';
import { SignalListsProvider } from '../lists/signal-lists-provider.js';
import { CrawlTurnsRepository, type CrawlTurn } from '../store/crawl-turns.repository.js';
import { CRAWL_PARTS, type CrawlPart } from './crawl-parts.js';
import type { CrawlLimits } from './domain-crawler.js';
import { DOMAIN_CRAWL_QUEUE } from './domain-crawl.queue.js';
import { CrawlerProvider } from './crawler-provider.js';
import { mergeCrawl, readParts } from './merge-crawl.js';
import { CRAWL_EVERY_MS, nextCrawlInMs } from './next-crawl.js';

/** After this many crawls that never finished, the domain waits for a week. */
const MAX_BEGUN = 5;
/** A crawl that is due within this time replaces a retry. */
const NEARLY_MS = 60_000;
/** A caller waits for 8 seconds, of which some are needed to get here and to store the result. */
const AWAITED_LIMITS: CrawlLimits = { crawlMs: 6000, partMs: 6000 };
const RETRY_NOW: JobEnding = { kind: 'again', afterMs: 0 };

/** Crawls a domain that is due and stores the result. */
@Injectable()
export class DomainCrawlService {
  constructor(
    private readonly turns: CrawlTurnsRepository,
    private readonly crawler: CrawlerProvider,
    private readonly failedJobs: FailedJobsRepository,
    private readonly lists: SignalListsProvider,
  ) {}

  /**
   * @param stop aborted when the process stops: another process does the crawl
   * @param awaited a caller waits: what takes longer is left open, and retried like what failed
   */
  async crawl(domain: string, stop: AbortSignal, awaited = false): Promise<JobEnding> {
    const { turns, crawler } = this;
    const turn = await turns.beginCrawl(domain);
    if (turn === null) return OVER;
    if (turn.begun > MAX_BEGUN) return this.postpone(domain, turn);
    const parts = partsOf(turn);
    const crawl = await crawler.crawl(domain, parts, stop, awaited ? AWAITED_LIMITS : undefined);
    if (stop.aborted) {
      await turns.release(domain);
      return RETRY_NOW;
    }
    const { facts, open } = mergeCrawl(domain, turn.facts, crawl);
    // If our own resolver is down, the crawl has queried nobody.
    const whole = parts === CRAWL_PARTS && Object.keys(crawl.found).length > 0;
    const attempts = open.length === 0 ? 0 : whole ? 1 : turn.attempts + 1;
    await turns.record(domain, {
      facts,
      judgement: facts === null ? null : judgeDomain(facts, { lists: this.lists, findProvider }),
      openParts: open,
      attempts,
      whole,
      nextMs: nextCrawlInMs({ attempts, ageMs: whole ? 0 : turn.ageMs }),
    });
    return OVER;
  }

  private async postpone(domain: string, { begun }: CrawlTurn): Promise<JobEnding> {
    await this.turns.postpone(domain, CRAWL_EVERY_MS);
    await this.failedJobs.insert({
      queue: DOMAIN_CRAWL_QUEUE.name,
      jobId: DOMAIN_CRAWL_QUEUE.jobId({ domain }),
      why: `${begun - 1} crawls were begun and none came back`,
      details: null,
    });
    return OVER;
  }
}

/** Returns the open parts for a retry, all parts for a new crawl. */
function partsOf({ facts, openParts, ageMs }: CrawlTurn): readonly CrawlPart[] {
  const open = readParts(openParts);
  const isRetry = facts !== null && open.length > 0 && ageMs !== null && ageMs < CRAWL_EVERY_MS - NEARLY_MS;
  return isRetry ? open : CRAWL_PARTS;
}
