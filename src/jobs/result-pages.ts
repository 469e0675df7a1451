/** Rows read in one go, and what an answer holds in memory at a time: about half a megabyte. */
const PAGE_ROWS = 500;

/** Texts of the results at positions from `from` to before `to`, in order. */
export type ReadPage = (from: number, to: number) => Promise<string[]>;

/**
 * Reads the results of a completed job, in order, page after page, each when it is asked for.
 * @param from position of the first
 * @param to position after the last
 * @throws Error when one is not there: rows that go away meanwhile are no reason for a shorter list
 */
export async function* resultPages(readPage: ReadPage, from: number, to: number): AsyncGenerator<string[]> {
  for (let at = from; at < to; at += PAGE_ROWS) {
    const end = Math.min(at + PAGE_ROWS, to);
    const page = await readPage(at, end);
    if (page.length !== end - at) throw new Error(`results of a completed job are missing from ${at} on`);
    yield page;
  }
}

/** The same items, of which the first has been asked for: a failure to begin is one of this call. */
export async function begun<T>(items: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await items.next();
  return (async function* () {
    try {
      if (first.done !== true) yield first.value;
      yield* items;
    } finally {
      await items.return(undefined);
    }
  })();
}
