import { CRAWL_EVERY_MS, nextCrawlInMs } from './next-crawl.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

describe('a domain is looked at next', () => {
  it('after a week when nothing is open', () => {
    expect(nextCrawlInMs({ attempts: 0, ageMs: 0 })).toBe(7 * DAY);
  });

  it('sooner when something is, later each time, and with the next crawl in the end', () => {
    const ages = [0, MINUTE, 11 * MINUTE, 71 * MINUTE, 431 * MINUTE];
    const waits = ages.map((ageMs, i) => nextCrawlInMs({ attempts: i + 1, ageMs }) / MINUTE);
    expect(waits).toEqual([1, 10, 60, 360, 7 * 1440 - 431]);
  });

  it('never later than the next crawl', () => {
    expect(nextCrawlInMs({ attempts: 4, ageMs: CRAWL_EVERY_MS - MINUTE })).toBe(MINUTE);
  });

  it('within hours while there are no facts, or a crawl is overdue, and never at once', () => {
    for (const ageMs of [null, CRAWL_EVERY_MS, CRAWL_EVERY_MS * 2]) {
      const waits = [1, 2, 3, 4, 5, 50].map((attempts) => nextCrawlInMs({ attempts, ageMs }) / MINUTE);
      expect(waits).toEqual([1, 10, 60, 360, 360, 360]);
    }
  });
});
