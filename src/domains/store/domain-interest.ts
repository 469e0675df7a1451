import { Injectable, Logger, Optional, type BeforeApplicationShutdown } from '@nestjs/common';
import { AnswerCache } from '../../engine/dns/answer-cache.js';
import { BackgroundWriter } from '../../platform/batching/background-writer.js';
import { LogThrottle } from '../../platform/scheduling/log-throttle.js';
import { DomainCrawlProducer } from '../crawl/domain-crawl.queue.js';
import { CrawlCountsRepository } from './crawl-counts.repository.js';
import { DomainsRepository } from './domains.repository.js';

/** A domain, the first account that requested it, and whether it has a row. */
type Noted = readonly [domain: string, by: { readonly account: string; readonly known: boolean }];

/** Each process marks a domain with a row as requested once a day. */
const KNOWN_SECONDS = 86_400;
/** A process notes a domain without a row again after this long. */
const UNKNOWN_SECONDS = 60;
const MAX_NOTED = 50_000;
/** How long a process skips counting for an account that has used up its crawls of the day. */
const OVER_SECONDS = 60;
const MAX_OVER = 10_000;
/** Above this, a domain is noted at its next request. */
const MAX_WAITING = 20_000;
const BATCH = 500;

/**
 * Notes requested domains, so that workers crawl them. A call only looks in memory; new domains are written in batches
 * in the background, and a failed write does not affect the call. A crawl counts against the daily limit of the
 * account's plan; above the limit the domain is not noted and stays unknown.
 */
@Injectable()
export class DomainInterest implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Domains');
  private readonly noted: AnswerCache<{ readonly ttlSeconds: number; readonly known: boolean }>;
  private readonly over: AnswerCache<{ readonly ttlSeconds: number }>;
  private readonly writer = new BackgroundWriter<Noted>({
    write: (batch) => this.ask(batch),
    onFailure: (error, dropped) => {
      // A domain without a row is noted again within a minute, others tomorrow.
      this.remember(dropped);
      if (this.warnings.passes()) this.logger.warn({ err: error }, 'requested domains could not be recorded');
    },
    maxBatch: BATCH,
    maxWaiting: MAX_WAITING,
  });
  private readonly warnings: LogThrottle;

  /** @param now monotonic clock, milliseconds */
  constructor(
    private readonly rows: DomainsRepository,
    private readonly counts: CrawlCountsRepository,
    private readonly queue: DomainCrawlProducer,
    @Optional() now: () => number = () => performance.now(),
  ) {
    this.noted = new AnswerCache(MAX_NOTED, now);
    this.over = new AnswerCache(MAX_OVER, now);
    this.warnings = new LogThrottle(now);
  }

  /**
   * Returns at once and never throws.
   * @param known the domain has a row
   * @param account the account that the crawl counts for
   */
  note(domain: string, known: boolean, account: string): void {
    const noted = this.noted.get(domain);
    if (noted !== undefined && (known || !noted.known)) return;
    if (this.over.get(account) === undefined) this.writer.add([domain, { account, known }], domain);
  }

  /** Writes what is queued, if the database replies soon. */
  beforeApplicationShutdown(): Promise<void> {
    return this.writer.settled();
  }

  private async ask(batch: readonly Noted[]): Promise<void> {
    const { counts, rows, queue } = this;
    const refused = await counts.admit(new Map(batch.map(([domain, { account }]) => [domain, account])));
    const admitted: Noted[] = [];
    for (const noted of batch) {
      const [domain, { account }] = noted;
      // Do not remember the domain: another account may still request it.
      if (refused.has(domain)) this.over.set(account, { ttlSeconds: OVER_SECONDS }, 0);
      else admitted.push(noted);
    }
    if (admitted.length > 0) {
      const accounts = new Map(admitted.map(([domain, { account }]) => [domain, account]));
      const due = await rows.ask([...accounts.keys()]);
      queue.queueCrawls(due.map((each) => ({ ...each, account: accounts.get(each.domain)! })));
    }
    this.remember(admitted);
  }

  private remember(those: readonly Noted[]): void {
    for (const [domain, { known }] of those) {
      this.noted.set(domain, { ttlSeconds: known ? KNOWN_SECONDS : UNKNOWN_SECONDS, known }, domain.length);
    }
  }
}
