import { Turnstile } from '../platform/clock/turnstile.js';

/** Results, each the JSON text of one entry. */
export type ResultPage = readonly string[];

/** The results at positions from `from` to before `to`, in order. */
export type ReadPage = (from: number, to: number) => Promise<ResultPage>;

/** Rows read in one go, and what an answer holds in memory at a time: less than half a megabyte. */
const PAGE_ROWS = 500;
/** Pages read at once: what they bring arrives in one turn of the event loop, and others are to be served in between. */
const PLACES = 4;
const MAX_WAITING = 500;
const MAX_WAIT_MS = 20_000;

/** Reads the results of completed jobs, page after page, each when it is asked for. */
export class ResultPages {
  private readonly turnstile = new Turnstile({ places: PLACES, maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS });

  /**
   * @param from position of the first result
   * @param to position after the last
   * @returns its first page has been read: a failure to begin is one of this call
   * @throws Error when one is not there: rows that go away meanwhile are no reason for a shorter list
   */
  async open(read: ReadPage, from: number, to: number): Promise<AsyncGenerator<ResultPage>> {
    const first = from < to ? await this.page(read, from, to) : [];
    return this.pages(read, first, from, to);
  }

  private async *pages(read: ReadPage, first: ResultPage, from: number, to: number): AsyncGenerator<ResultPage> {
    if (first.length > 0) yield first;
    for (let at = from + first.length; at < to; at += PAGE_ROWS) yield await this.page(read, at, to);
  }

  private async page(read: ReadPage, from: number, to: number): Promise<ResultPage> {
    const end = Math.min(from + PAGE_ROWS, to);
    const page = await this.turnstile.pass(() => read(from, end));
    if (page.length !== end - from) throw new Error(`results of a completed job are missing from ${from} on`);
    return page;
  }
}
