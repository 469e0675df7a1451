import type { Redis } from 'ioredis';
import { DeadlineMissed } from '../platform/scheduling/within-deadline.js';
import { RedisBuckets } from './redis-buckets.js';

type Script = (...keysAndArguments: (string | number)[]) => Promise<number[]>;

function bucketsOver(script: Script): RedisBuckets {
  return new RedisBuckets({
    isCluster: false,
    defineCommand: () => undefined,
    mailvetTakeTokens: script,
  } as unknown as Redis);
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('limits the wait of all requests of one event-loop turn with one timer', async () => {
  const buckets = bucketsOver(() => new Promise(() => undefined));
  const asking = ['a', 'b', 'c'].map((name) => buckets.take(name, 60));
  const outcomes = Promise.allSettled(asking);
  jest.advanceTimersByTime(0);
  expect(jest.getTimerCount()).toBe(1);
  await jest.advanceTimersByTimeAsync(401);
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: expect.any(DeadlineMissed) as Error });
});

it('asks once for each capacity of a bucket, and tells each request what is left after it', async () => {
  const asked: unknown[] = [];
  const buckets = bucketsOver(async (...wanted) => {
    asked.push(wanted);
    return [2, 120_000, 0, 1, 180_000, 0];
  });
  const taking = [buckets.take('a', 60), buckets.take('a', 60), buckets.take('a', 300)];
  await jest.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([[2, 'mailvet:rate:{a}', 'mailvet:rate:{a}', 60, 2, 300, 1]]);
  expect((await Promise.all(taking)).map(({ remaining }) => remaining)).toEqual([59, 58, 297]);
});

it('leaves no timer behind if Redis answers or refuses', async () => {
  let answers = true;
  const buckets = bucketsOver(async () => {
    if (!answers) throw new Error('Connection is closed.');
    return [1, 60_000, 0];
  });
  const first = buckets.take('a', 60);
  await jest.advanceTimersByTimeAsync(0);
  expect(await first).toMatchObject({ allowed: true, remaining: 59 });
  answers = false;
  const second = buckets.take('a', 60).catch(String);
  await jest.advanceTimersByTimeAsync(0);
  expect(await second).toBe('Error: Connection is closed.');
  expect(jest.getTimerCount()).toBe(0);
});
