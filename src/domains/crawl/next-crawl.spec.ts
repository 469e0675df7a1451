import { CRAWL_EVERY_MS, nextCrawlInMs } from './next-crawl.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

describe('the next crawl of a domain', () => {
  it('is due after a week if nothing is open', () => {
    expect(nextCrawlInMs({ attempts: 0, ageMs: 0 })).toBe(7 * DAY);
  });

  it('is due sooner if something is open, with growing delays', () => {
    const ages = [0, MINUTE, 11 * MINUTE, 71 * MINUTE, 431 * MINUTE];
    const waits = ages.map((ageMs, i) => nextCrawlInMs({ attempts: i + 1, ageMs }) / MINUTE);
    expect(waits).toEqual([1, 10, 60, 360, 7 * 1440 - 431]);
  });

  it('is never due later than the weekly crawl', () => {
    expect(nextCrawlInMs({ attempts: 4, ageMs: CRAWL_EVERY_MS - MINUTE })).toBe(MINUTE);
  });

  it('is due within hours, never at once, if there are no facts or a crawl is overdue', () => {
    for (const ageMs of [null, CRAWL_EVERY_MS, CRAWL_EVERY_MS * 2]) {
      const waits = [1, 2, 3, 4, 5, 50].map((attempts) => nextCrawlInMs({ attempts, ageMs }) / MINUTE);
      expect(waits).toEqual([1, 10, 60, 360, 360, 360]);
    }
  });
});
