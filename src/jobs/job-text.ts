import { csvHeader, csvRow } from './job-csv.js';
import type { JobHead } from './job.response.js';

/** The job object as JSON text, in pieces: results are put in as they are kept, without being parsed. */
export async function* jobJson(head: JobHead, pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let text = `${JSON.stringify(head).slice(0, -1)},"results":[`;
  for await (const page of pages) {
    yield text + page.join(',');
    text = ',';
  }
  yield text === ',' ? ']}' : `${text}]}`;
}

/** The results as CSV, in pieces. */
export async function* jobCsv(pages: AsyncIterable<readonly string[]>): AsyncGenerator<string> {
  let text = csvHeader();
  for await (const page of pages) {
    yield text + page.map(csvRow).join('');
    text = '';
  }
  if (text !== '') yield text;
}
