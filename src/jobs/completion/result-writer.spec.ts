import { only } from '../../../test/factories/only.js';
import type { WrittenEntry } from './result-pages.repository.js';
import { ResultWriter } from './result-writer.js';

const JOB = '0197c3c2-0000-7000-8000-000000000001';

/** Entries without a verdict, whose results need no lists. */
function writerOf(total: number, write: (from: number) => Promise<boolean>) {
  const done: string[] = [];
  const asked: string[] = [];
  const resultWriter = new ResultWriter(
    only({
      beginWriting: () => Promise.resolve({ mode: 'standard', total, accountId: 'acme', keyId: 'ada' }),
      entries: (_, from, to) => {
        const positions = Array.from({ length: Math.min(to, total) - from }, (__, i) => from + i);
        return Promise.resolve(
          positions.map((position) => ({
            position,
            sent: `${position}@${position % 500}.example`,
            error: 'verify_unavailable',
            facts: null,
          })),
        );
      },
      joinedFacts: () => Promise.resolve(new Map()),
      write: (_, entries) => write((entries as WrittenEntry[])[0]!.position),
      complete: () => {
        done.push('completed');
        return Promise.resolve(true);
      },
    }),
    only({
      findCatchAlls: (domains) => {
        asked.push(...domains);
        return Promise.resolve(new Map());
      },
    }),
    only({ lookUp: () => Promise.resolve(new Map()) }),
    only({}),
    only({ onCompleted: () => void done.push('counted'), onResult: () => undefined }),
    only({}),
  );
  return { resultWriter, done, asked };
}

it('writes a few pages at once, each once, then completes the job', async () => {
  const written: number[] = [];
  let [now, most] = [0, 0];
  const { resultWriter, done } = writerOf(3100, async (from) => {
    most = Math.max(most, ++now);
    await new Promise(setImmediate);
    expect(done).toEqual([]);
    written.push(from);
    now -= 1;
    return true;
  });
  expect(await resultWriter.writeResults(JOB, new AbortController().signal)).toEqual({ kind: 'over' });
  expect(written.toSorted((one, other) => one - other)).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000]);
  expect(most).toBe(6);
  expect(done).toEqual(['completed', 'counted']);
});

it('asks about a domain once, whichever pages name it', async () => {
  const { resultWriter, asked } = writerOf(2500, () => Promise.resolve(true));
  await resultWriter.writeResults(JOB, new AbortController().signal);
  expect(asked).toHaveLength(new Set(asked).size);
  expect(asked).toHaveLength(500);
});

it('starts no page when the process stops, and leaves the rest to other processes', async () => {
  const stop = new AbortController();
  let pages = 0;
  const { resultWriter, done } = writerOf(5000, () => {
    pages += 1;
    stop.abort();
    return Promise.resolve(true);
  });
  expect(await resultWriter.writeResults(JOB, stop.signal)).toEqual({ kind: 'again', afterMs: 0 });
  expect(pages).toBeLessThanOrEqual(6);
  expect(done).toEqual([]);
});

it('stops if another worker has completed the job', async () => {
  const { resultWriter, done } = writerOf(5000, () => Promise.resolve(false));
  expect(await resultWriter.writeResults(JOB, new AbortController().signal)).toEqual({ kind: 'over' });
  expect(done).toEqual([]);
});

it('rejects only when every page has stopped', async () => {
  const ended: number[] = [];
  const { resultWriter, done } = writerOf(5000, async (from) => {
    if (from === 0) throw new Error('the database does not take it');
    await new Promise(setImmediate);
    ended.push(from);
    return true;
  });
  await expect(resultWriter.writeResults(JOB, new AbortController().signal)).rejects.toThrow('does not take it');
  expect(ended).toEqual([500, 1000, 1500, 2000, 2500]);
  expect(done).toEqual([]);
});
