import { csvHeader, csvRow } from './job-csv.js';
import type { JobHead } from './job.response.js';
import type { ResultPage } from './result-pages.js';

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** The job object as JSON, in pieces: results are put in as they are kept, without being parsed. */
export async function* jobJson(head: JobHead, pages: AsyncIterable<ResultPage>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"results":[`);
  let isFirst = true;
  for await (const page of pages) {
    const octets = page.flatMap((result) => [COMMA, result]);
    yield Buffer.concat(isFirst ? octets.slice(1) : octets);
    isFirst = false;
  }
  yield END;
}

/** The results as CSV, in pieces. */
export async function* jobCsv(pages: AsyncIterable<ResultPage>): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHeader());
  for await (const page of pages) yield Buffer.from(page.map((result) => csvRow(result.toString())).join(''));
}
