import { Injectable } from '@nestjs/common';
import { BoundedSemaphore } from '../platform/scheduling/bounded-semaphore.js';

/** Results, each the JSON text of one entry. */
export type ResultPage = readonly string[];

/** The results at positions from `from` to before `to`, in order. */
export type ReadPage = (from: number, to: number) => Promise<ResultPage>;

/** Rows of the first page, and most rows of any. */
const FIRST_ROWS = 100;
const MAX_ROWS = 500;
/** What a page is to hold, by the length of the rows before it: an answer has one in memory. */
const PAGE_CHARACTERS = 256 * 1024;
/** Pages read at once: what they bring arrives in one turn of the event loop, and others are to be served in between. */
const PLACES = 4;
const MAX_WAITING = 500;
const MAX_WAIT_MS = 20_000;

/** Reads the results of completed jobs, page after page, each when it is asked for. */
@Injectable()
export class ResultPages {
  private readonly semaphore = new BoundedSemaphore({
    permits: PLACES,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });

  /**
   * @param from position of the first result
   * @param to position after the last
   * @param hold told how long each page is, before it is handed on; where it throws, reading ends
   * @returns its first page has been read: a failure to begin is one of this call
   * @throws Error when one is not there: rows that go away meanwhile are no reason for a shorter list
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

/** Reads pages one after the other, each of as many rows as fit by the length of those before. */
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
