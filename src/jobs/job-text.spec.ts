import { jobCsv, jobJson } from './job-text.js';
import { toJobHead } from './job-head.js';
import type { ResultPage } from './result-pages.js';

const head = toJobHead({
  id: '01a21fec-0000-7000-8000-000000000000',
  status: 'completed',
  total: 3,
  done: 3,
  createdAt: new Date('2026-11-28T10:00:00Z'),
  expiresAt: new Date('2026-12-05T10:00:00Z'),
});
async function* pagesOf(...pages: string[][]): AsyncGenerator<ResultPage> {
  yield* pages;
}
async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('the job object', () => {
  it.each<[string, string[][]]>([
    ['no page', []],
    ['one result', [['{"email":"a"}']]],
    [
      'results of any length',
      [[`{"email":"${'a'.repeat(100_000)}"}`, '{"email":"b"}'], [`{"email":"${'c'.repeat(49_152)}"}`]],
    ],
    ['several pages', [['{"email":"a"}', '{"email":"é😀"}'], ['{"email":"c"}']]],
  ])('of %s is JSON, its results last and as they are kept', async (_, pages) => {
    const text = await textOf(jobJson(head, pagesOf(...pages)));
    expect(text).toBe(JSON.stringify({ ...head, results: pages.flat().map((one) => JSON.parse(one) as unknown) }));
  });

  it('fails the stream if a page fails', async () => {
    const failing = (async function* (): AsyncGenerator<ResultPage> {
      yield* pagesOf(['{"email":"a"}']);
      throw new Error('lost');
    })();
    let text = '';
    const read = async (): Promise<void> => {
      for await (const piece of jobJson(head, failing)) text += piece;
    };
    await expect(read()).rejects.toThrow('lost');
    expect(text).toMatch(/"results":\[\{"email":"a"\}$/);
  });
});

it('CSV has its header once, and a line per entry', async () => {
  const text = await textOf(jobCsv(pagesOf(['{"email":"a","error":"x"}'], ['{"email":"b","error":"x"}'])));
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(',')[0]),
  ).toEqual(['email', 'a', 'b']);
  expect(await textOf(jobCsv(pagesOf()))).toMatch(/^email,[^\n]*\r\n$/);
});
