import { Injectable } from '@nestjs/common';
import { BoundedSemaphore } from '../platform/scheduling/bounded-semaphore.js';

/** Results, each the JSON text of one entry. */
export type ResultPage = readonly string[];

/** Reads the results at positions from `from` (inclusive) to `to` (exclusive), in order. */
export type ReadPage = (from: number, to: number) => Promise<ResultPage>;

/** Rows of the first page; its size is not known yet. */
const FIRST_ROWS = 100;
const MAX_ROWS = 500;
/** Target size of a page, estimated from the previous rows: each response holds one page in memory. */
const PAGE_CHARACTERS = 256 * 1024;
/** Pages read at once: each arrives in one turn of the event loop, and other requests must run in between. */
const PLACES = 4;
const MAX_WAITING = 500;
const MAX_WAIT_MS = 20_000;

/** Reads the results of completed jobs on demand, page by page. */
@Injectable()
export class ResultPages {
  private readonly semaphore = new BoundedSemaphore({
    permits: PLACES,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  /**
   * Opens the results, and reads the first page, so that a failure to begin rejects this call.
   * @param from position of the first result
   * @param to position after the last
   * @param hold called with the length of each page before it is yielded; if it throws, reading ends
   * @throws Error if a result is missing: rows deleted meanwhile must not shorten the list
   */
  async open(
    read: ReadPage,
    from: number,
    to: number,
    hold: (characters: number) => void,
  ): Promise<AsyncGenerator<ResultPage>> {
    const reading = new Reading(async (at, end) => {
      const page = await this.semaphore.run(() => read(at, end));
      if (page.length !== end - at) throw new Error(`results of a completed job are missing from ${at} on`);
      return page;
    }, hold);
    const first = from < to ? await reading.next(from, to) : [];
    return pages(reading, first, from, to);
  }
}

async function* pages(reading: Reading, first: ResultPage, from: number, to: number): AsyncGenerator<ResultPage> {
  let page = first;
  for (let at = from; at < to; at += page.length) {
    if (at > from) page = await reading.next(at, to);
    yield page;
  }
}

/** Reads pages in sequence, and sizes each by the length of the previous rows. */
class Reading {
  private rows = FIRST_ROWS;

  constructor(
    private readonly read: ReadPage,
    private readonly hold: (characters: number) => void,
  ) {}

  async next(from: number, to: number): Promise<ResultPage> {
    const page = await this.read(from, Math.min(from + this.rows, to));
    const characters = page.reduce((sum, { length }) => sum + length, 0);
    this.hold(characters);
    this.rows = Math.max(1, Math.min(MAX_ROWS, Math.floor((PAGE_CHARACTERS * page.length) / Math.max(1, characters))));
    return page;
  }
}
