import { csvHeader, csvRow } from './job-csv.js';
import type { JobHead } from './job.response.js';
import type { ResultPage } from './result-pages.js';

/**
 * Characters that are handed on in one go, unless a result is longer by itself. A text of this size is one of the young objects,
 * whose memory is used again soon; V8 keeps larger ones, and buffers, apart, and they pile up until it looks there.
 */
const PIECE = 48 * 1024;

/** The job object as JSON, in pieces: results are put in as they are kept, without being parsed. */
export async function* jobJson(head: JobHead, pages: AsyncIterable<ResultPage>): AsyncGenerator<string> {
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

/** The results as CSV, in pieces. */
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
