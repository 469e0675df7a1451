/** Decisions 8.1. */
export const CRAWL_EVERY_MS = 7 * 86_400_000;

const MINUTE = 60_000;
/** Delays after the first, second and later runs that left parts open; after that, the next regular crawl. */
const RETRY_AFTER_MS = [MINUTE, 10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
/** Our own resolver was down throughout. */
const START_AGAIN_MS = 6 * 60 * MINUTE;

export interface CrawlState {
  /** Consecutive runs that left parts open, including the last; 0: nothing is open. */
  readonly attempts: number;
  /** Milliseconds since all parts were last queried; null: there are no facts yet. */
  readonly ageMs: number | null;
}

/** Milliseconds until the next run: a retry of open parts, or the next crawl. */
export function nextCrawlInMs({ attempts, ageMs }: CrawlState): number {
  const retry = attempts === 0 ? undefined : RETRY_AFTER_MS[attempts - 1];
  // An overdue crawl has just failed: do not repeat it at once.
  const leftMs = ageMs === null || ageMs >= CRAWL_EVERY_MS ? START_AGAIN_MS : CRAWL_EVERY_MS - ageMs;
  return Math.min(retry ?? leftMs, leftMs);
}
