import type { BeforeApplicationShutdown } from '@nestjs/common';
import { AnswerCache } from '../../engine/dns/answer-cache.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import type { CrawlCountsRepository } from './crawl-counts.repository.js';
import type { DomainsRepository, DueDomain } from './domains.repository.js';

export interface DomainInterestParts {
  readonly rows: Pick<DomainsRepository, 'ask'>;
  readonly counts: Pick<CrawlCountsRepository, 'admit'>;
  readonly queue: { add(due: readonly DueDomain[]): void };
  /** The database did not take it; said once a minute. */
  readonly onTrouble: (error: unknown) => void;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

/** A domain, the account that asked for it first, and whether it has a row. */
type Noted = readonly [domain: string, by: { readonly account: string; readonly known: boolean }];

/** A domain that has a row is marked as asked for once a day by each process. */
const KNOWN_SECONDS = 86_400;
/** One that has none, or lost it, is asked for again after so long. */
const UNKNOWN_SECONDS = 60;
const MAX_NOTED = 50_000;
/** An account that has caused all the crawls its plan allows in a day is not counted again for so long. */
const OVER_SECONDS = 60;
const MAX_OVER = 10_000;
/** Beyond that a domain is noted when it is asked for the next time. */
const MAX_WAITING = 20_000;
const BATCH = 500;
const WRITE_MS = 5000;
const CLOSE_MS = 1000;
const TROUBLE_EVERY_MS = 60_000;

/**
 * Notes which domains are asked for, so that they are crawled, and crawled again. It costs a call a look into memory: what is
 * new is written behind its back, many at once, and whatever becomes of that is no concern of the call. A crawl that an
 * account causes counts against its plan's bound of a day; beyond it the domain is not noted, and stays unknown.
 */
export class DomainInterest implements BeforeApplicationShutdown {
  private readonly noted: AnswerCache<{ readonly ttlSeconds: number; readonly known: boolean }>;
  private readonly over: AnswerCache<{ readonly ttlSeconds: number }>;
  private readonly waiting = new Map<Noted[0], Noted[1]>();
  private writing: Promise<void> | null = null;
  private lastTrouble = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  constructor(private readonly parts: DomainInterestParts) {
    this.now = parts.now ?? (() => performance.now());
    this.noted = new AnswerCache(MAX_NOTED, this.now);
    this.over = new AnswerCache(MAX_OVER, this.now);
  }

  /**
   * Returns at once and never throws.
   * @param known there is a row of it
   * @param account whose crawl it will be, if it has to be crawled
   */
  note(domain: string, known: boolean, account: string): void {
    const noted = this.noted.get(domain);
    if (noted !== undefined && (known || !noted.known)) return;
    if (this.waiting.has(domain) || this.over.get(account) !== undefined || this.waiting.size >= MAX_WAITING) return;
    this.waiting.set(domain, { account, known });
    this.writing ??= this.write().finally(() => {
      this.writing = null;
    });
  }

  /** What waits is written, if the database takes it soon. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.writing !== null) await withinDeadline(this.writing, CLOSE_MS).catch(() => undefined);
  }

  /** Never rejects. */
  private async write(): Promise<void> {
    // Whoever notes in this turn of the event loop goes along.
    await Promise.resolve();
    while (this.waiting.size > 0) {
      const batch = [...this.waiting].slice(0, BATCH);
      try {
        await withinDeadline(this.ask(batch), WRITE_MS);
        for (const [domain] of batch) this.waiting.delete(domain);
      } catch (error) {
        // What has no row is noted again within the minute, the rest tomorrow.
        this.remember([...this.waiting]);
        this.waiting.clear();
        this.trouble(error);
      }
    }
  }

  private async ask(batch: readonly Noted[]): Promise<void> {
    const { counts, rows, queue } = this.parts;
    const refused = await counts.admit(new Map(batch.map(([domain, { account }]) => [domain, account])));
    const admitted: Noted[] = [];
    for (const noted of batch) {
      const [domain, { account }] = noted;
      // Another account may ask for it.
      if (refused.has(domain)) this.over.set(account, { ttlSeconds: OVER_SECONDS }, 0);
      else admitted.push(noted);
    }
    if (admitted.length > 0) queue.add(await rows.ask(admitted.map(([domain]) => domain)));
    this.remember(admitted);
  }

  private remember(those: readonly Noted[]): void {
    for (const [domain, { known }] of those) {
      this.noted.set(domain, { ttlSeconds: known ? KNOWN_SECONDS : UNKNOWN_SECONDS, known }, domain.length);
    }
  }

  private trouble(error: unknown): void {
    if (this.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
    this.lastTrouble = this.now();
    this.parts.onTrouble(error);
  }
}
