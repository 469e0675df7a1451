import type { CachedCheck } from '../../verify/cache/cached-check.js';
import { OutcomeBuffer } from './outcome-buffer.js';
import type { Findings } from './outcomes.repository.js';

const outcome = (...positions: number[]) => ({ kind: 'unavailable', positions }) as const;
const check = (hash: string) => ({ hash }) as CachedCheck;
const LOST: Error = Object.assign(new Error('Connection lost'), { fatal: true });

function bufferWith(failures: Error[] = [], stop = new AbortController().signal) {
  const stored: Findings[] = [];
  const buffer = new OutcomeBuffer({
    enough: 3,
    stop,
    store: async (findings) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      stored.push(findings);
      return true;
    },
  });
  const failed = jest.fn();
  buffer.stopped.addEventListener('abort', failed);
  const positions = () => stored.map(({ outcomes }) => outcomes.flatMap((one) => one.positions));
  return { buffer, stored, failed, positions };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('stores outcomes and checks as soon as there are enough', async () => {
  const { buffer, stored, positions } = bufferWith();
  buffer.add(outcome(0));
  buffer.addCheck(check('a'));
  await jest.advanceTimersByTimeAsync(1);
  expect(stored).toEqual([]);
  buffer.add(outcome(1));
  await jest.advanceTimersByTimeAsync(1);
  expect(positions()).toEqual([[0, 1]]);
  expect(stored[0]!.checks).toEqual([check('a')]);
});

it('stores outcomes after half a second at most', async () => {
  const { buffer, positions } = bufferWith();
  buffer.add(outcome(7));
  await jest.advanceTimersByTimeAsync(500);
  expect(positions()).toEqual([[7]]);
});

it('drains the remaining outcomes', async () => {
  const { buffer, positions } = bufferWith();
  buffer.add(outcome(7));
  await buffer.drain();
  await buffer.drain();
  expect(positions()).toEqual([[7]]);
  expect(jest.getTimerCount()).toBe(0);
});

it('stores at most five hundred entries per transaction, of one address or many', async () => {
  const { buffer, positions } = bufferWith();
  buffer.add(outcome(...Array.from({ length: 1200 }, (_, i) => i)));
  buffer.add(outcome(1200));
  await buffer.drain();
  expect(positions().map(({ length }) => length)).toEqual([500, 500, 201]);
  expect(positions().flat()).toEqual(Array.from({ length: 1201 }, (_, i) => i));
});

it('keeps its outcomes during a database outage of half a minute', async () => {
  const { buffer, positions, failed } = bufferWith(Array.from({ length: 6 }, () => LOST));
  buffer.add(outcome(1));
  const drained = buffer.drain();
  await jest.advanceTimersByTimeAsync(31_000);
  await drained;
  expect(positions()).toEqual([[1]]);
  expect(failed).not.toHaveBeenCalled();
});

it.each([
  ['the database stays away', Array.from({ length: 20 }, () => LOST)],
  ['something else is wrong', [new Error('no such column')]],
])('says so once when %s, and stores nothing more', async (_, failures) => {
  const [first] = failures;
  const { buffer, failed, stored } = bufferWith(failures);
  buffer.add(outcome(1));
  const drained = buffer.drain().catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(60_000);
  expect(await drained).toBe(first);
  buffer.add(outcome(2));
  await expect(buffer.drain()).rejects.toBe(first);
  expect(failed).toHaveBeenCalledTimes(1);
  expect(stored).toEqual([]);
});

it('does not wait for the database at shutdown', async () => {
  const stop = new AbortController();
  const { buffer } = bufferWith(
    Array.from({ length: 9 }, () => LOST),
    stop.signal,
  );
  buffer.add(outcome(1));
  const drained = buffer.drain().catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(10);
  stop.abort();
  expect(await drained).toBe(LOST);
});

it('stops the work if others have it', async () => {
  const buffer = new OutcomeBuffer({ enough: 3, stop: new AbortController().signal, store: async () => false });
  buffer.add(outcome(1));
  await buffer.drain();
  expect(buffer.stopped.aborted).toBe(true);
});
