import { setImmediate as nextTurn } from 'node:timers/promises';
import { WriteBatcher } from './write-batcher.js';

function batcherOf(fails: (items: readonly number[]) => boolean = () => false, isolatesErrors = false) {
  const batches: (readonly [string, readonly number[]])[] = [];
  const batcher = new WriteBatcher<number, string>({
    write: async (items, key) => {
      batches.push([key, items]);
      await nextTurn();
      if (fails(items)) throw new Error(`not ${items.join()}`);
      return items.map((item) => `${key}${item}`);
    },
    sizeOf: (item) => item,
    maxSize: 10,
    maxWaiting: 20,
    isolatesErrors,
  });
  return { batcher, batches };
}

describe('WriteBatcher', () => {
  it('writes the items of one moment in one batch, and those that come meanwhile in the next', async () => {
    const { batcher, batches } = batcherOf();
    const first = [1, 2].map((item) => batcher.write(item, 'a'));
    await nextTurn();
    const later = [3, 4].map((item) => batcher.write(item, 'a'));
    expect(await Promise.all([...first, ...later])).toEqual(['a1', 'a2', 'a3', 'a4']);
    expect(batches).toEqual([
      ['a', [1, 2]],
      ['a', [3, 4]],
    ]);
  });

  it('writes what several events of one turn of the event loop bring in one batch', async () => {
    const { batcher, batches } = batcherOf();
    const first = batcher.write(1, 'a');
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await Promise.all([first, batcher.write(2, 'a')]);
    expect(batches).toEqual([['a', [1, 2]]]);
  });

  it('keeps the items of different keys apart, and lets none wait for another key', async () => {
    const { batcher, batches } = batcherOf();
    await Promise.all([batcher.write(1, 'a'), batcher.write(2, 'b'), batcher.write(3)]);
    expect(batches).toEqual([
      ['a', [1]],
      ['b', [2]],
      ['', [3]],
    ]);
  });

  it('takes no more in one batch than it may, but for an item that is larger by itself', async () => {
    const { batcher, batches } = batcherOf();
    await Promise.all([1, 4, 5, 2, 30, 1].map((item) => batcher.write(item)));
    expect(batches.map(([, items]) => items)).toEqual([[1, 4, 5], [2], [30], [1]]);
  });

  it('gathers the items that come soon after a batch has begun', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    try {
      const batches: (readonly number[])[] = [];
      const write = async (items: readonly number[]) => {
        batches.push(items);
        return items;
      };
      const batcher = new WriteBatcher<number, number>({ write, everyMs: 50 });
      await batcher.write(1);
      const later = batcher.write(2);
      await nextTurn();
      const last = batcher.write(3);
      await nextTurn();
      expect(batches).toEqual([[1]]);
      await jest.advanceTimersByTimeAsync(50);
      expect(await Promise.all([later, last])).toEqual([2, 3]);
      expect(batches).toEqual([[1], [2, 3]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('refuses more items than may wait, whatever their keys', async () => {
    const { batcher } = batcherOf();
    const writes = Array.from({ length: 20 }, (_, i) => batcher.write(1, String(i)));
    await expect(batcher.write(1, 'one more')).rejects.toMatchObject({ code: 'service_unavailable' });
    await Promise.all(writes);
    expect(await batcher.write(1, 'a')).toBe('a1');
  });

  it('fails the whole batch with its error, and writes the next', async () => {
    const { batcher, batches } = batcherOf((items) => items.includes(3));
    const ends = await Promise.allSettled([1, 3].map((item) => batcher.write(item)));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await batcher.write(4)).toBe('4');
    expect(batches.map(([, items]) => items)).toEqual([[1, 3], [4]]);
  });

  it('lets no item fail because of another, where it isolates errors', async () => {
    const { batcher, batches } = batcherOf((items) => items.includes(3), true);
    const ends = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.write(item)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(batches.map(([, items]) => items)).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
    await expect(batcher.write(3)).rejects.toThrow('not 3');
  });
});
