import { csvHeader, csvRow } from './job-csv.js';
import type { ResultPage } from './result-pages.js';

/**
 * Characters per piece, unless a single result is longer. V8 keeps strings of this size in its young generation, which
 * it reuses soon; larger strings, and buffers, pile up elsewhere until a major collection.
 */
const PIECE = 48 * 1024;

/** Yields the job object, or what else has results, as JSON, in pieces. Results are copied as stored, without parsing. */
export async function* jobJson(head: object, pages: AsyncIterable<ResultPage>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"results":[`;
  let isFirst = true;
  for await (const page of pages) {
    for (const some of inPieces(page)) {
      yield isFirst ? some.join(',') : `,${some.join(',')}`;
      isFirst = false;
    }
  }
  yield ']}';
}

/** Yields the results as CSV, in pieces. */
export async function* jobCsv(pages: AsyncIterable<ResultPage>): AsyncGenerator<string> {
  yield csvHeader();
  for await (const page of pages) {
    for (const some of inPieces(page)) yield some.map(csvRow).join('');
  }
}

function* inPieces(page: ResultPage): Generator<readonly string[]> {
  let from = 0;
  let characters = 0;
  for (const [i, { length }] of page.entries()) {
    if (i > from && characters + length > PIECE) {
      yield page.slice(from, i);
      from = i;
      characters = 0;
    }
    characters += length;
  }
  if (from < page.length) yield page.slice(from);
}
