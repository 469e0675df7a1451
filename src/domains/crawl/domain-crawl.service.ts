import type { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { OVER, type JobEnding } from '../../platform/queues/work-queue.js';
import type { ClassifyingKnowledge } from '../classify/classify-domain.js';
import { judgeDomain } from '../judge-domain.js';
import type { CrawlTurn, CrawlTurnsRepository } from '../store/crawl-turns.repository.js';
import { CRAWL_PARTS, type CrawlPart } from './crawl-parts.js';
import { DOMAIN_CRAWL_QUEUE } from './domain-crawl.queue.js';
import type { DomainCrawler } from './domain-crawler.js';
import { mergeCrawl, readParts } from './merge-crawl.js';
import { CRAWL_EVERY_MS, nextCrawlInMs } from './next-crawl.js';

export interface DomainCrawlServiceParts {
  readonly turns: Pick<CrawlTurnsRepository, 'begin' | 'record' | 'giveBack' | 'putOff'>;
  readonly crawler: Pick<DomainCrawler, 'crawl'>;
  readonly failedJobs: Pick<FailedJobsRepository, 'insert'>;
  /** The lists of the day, for the judgement that is stored. */
  readonly knowledge: ClassifyingKnowledge;
}

/** A domain whose crawl ended so many processes without a word is left alone for a week. */
const MAX_BEGUN = 5;
/** A crawl that is as good as due anyway is made instead of a retry. */
const NEARLY_MS = 60_000;
const GIVEN_BACK: JobEnding = { kind: 'again', afterMs: 0 };

/** Crawls a domain that is due, and stores what came of it. */
export class DomainCrawlService {
  constructor(private readonly parts: DomainCrawlServiceParts) {}

  /** @param stop aborted when the process stops: the crawl under way is given up, and left to others */
  async run(domain: string, stop: AbortSignal): Promise<JobEnding> {
    const { turns, crawler } = this.parts;
    const turn = await turns.begin(domain);
    if (turn === null) return OVER;
    if (turn.begun > MAX_BEGUN) return this.putOff(domain, turn);
    const parts = partsOf(turn);
    const crawl = await crawler.crawl(domain, parts, stop);
    if (stop.aborted) {
      await turns.giveBack(domain);
      return GIVEN_BACK;
    }
    const { facts, open } = mergeCrawl(domain, turn.facts, crawl);
    // Where our own resolver is down, nobody was asked.
    const whole = parts === CRAWL_PARTS && Object.keys(crawl.found).length > 0;
    const attempts = open.length === 0 ? 0 : whole ? 1 : turn.attempts + 1;
    await turns.record(domain, {
      facts,
      judgement: facts === null ? null : judgeDomain(facts, this.parts.knowledge),
      openParts: open,
      attempts,
      whole,
      nextMs: nextCrawlInMs({ attempts, ageMs: whole ? 0 : turn.ageMs }),
    });
    return OVER;
  }

  private async putOff(domain: string, { begun }: CrawlTurn): Promise<JobEnding> {
    await this.parts.turns.putOff(domain, CRAWL_EVERY_MS);
    await this.parts.failedJobs.insert({
      queue: DOMAIN_CRAWL_QUEUE.name,
      jobId: DOMAIN_CRAWL_QUEUE.jobId({ domain }),
      why: `${begun - 1} crawls were begun and none came back`,
      details: null,
    });
    return OVER;
  }
}

/** What is open, where that is all there is to do; else everything. */
function partsOf({ facts, openParts, ageMs }: CrawlTurn): readonly CrawlPart[] {
  const open = readParts(openParts);
  const isRetry = facts !== null && open.length > 0 && ageMs !== null && ageMs < CRAWL_EVERY_MS - NEARLY_MS;
  return isRetry ? open : CRAWL_PARTS;
}
