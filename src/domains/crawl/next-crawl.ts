/** Decisions 8.1. */
export const CRAWL_EVERY_MS = 7 * 86_400_000;

const MINUTE = 60_000;
/** After the first run that left something open, after the second, and so on; then there is the next crawl. */
const RETRY_AFTER_MS = [MINUTE, 10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
/** Our own resolver has been down all the while. */
const START_AGAIN_MS = 6 * 60 * MINUTE;

export interface CrawlState {
  /** Runs in a row that left something open, the last one included; 0: nothing is open. */
  readonly attempts: number;
  /** Since all parts were last asked for, milliseconds; null: there are no facts yet. */
  readonly ageMs: number | null;
}

/** When a domain is looked at next, milliseconds from now: a retry of what is open, or the next crawl. */
export function nextCrawlInMs({ attempts, ageMs }: CrawlState): number {
  const retry = attempts === 0 ? undefined : RETRY_AFTER_MS[attempts - 1];
  // A crawl that is overdue failed just now: it is not made again at once.
  const leftMs = ageMs === null || ageMs >= CRAWL_EVERY_MS ? START_AGAIN_MS : CRAWL_EVERY_MS - ageMs;
  return Math.min(retry ?? leftMs, leftMs);
}
