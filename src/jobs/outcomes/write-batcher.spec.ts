import { WriteBatcher } from './write-batcher.js';

function together(fails: (items: readonly number[]) => boolean = () => false) {
  const goes: (readonly [string, readonly number[]])[] = [];
  const line = new WriteBatcher<number, string>({
    work: async (key, items) => {
      goes.push([key, items]);
      await Promise.resolve();
      if (fails(items)) throw new Error(`not ${items.join()}`);
      return items.map((item) => `${key}${item}`);
    },
    sizeOf: (item) => item,
    maxSize: 10,
  });
  return { line, goes };
}

it('runs the first call at once, and the calls that come meanwhile in one batch', async () => {
  const { line, goes } = together();
  expect(await Promise.all([1, 2, 3].map((item) => line.run('a', item)))).toEqual(['a1', 'a2', 'a3']);
  expect(goes).toEqual([
    ['a', [1]],
    ['a', [2, 3]],
  ]);
});

it('batches each key separately', async () => {
  const { line, goes } = together();
  await Promise.all([line.run('a', 1), line.run('b', 2)]);
  expect(goes).toEqual([
    ['a', [1]],
    ['b', [2]],
  ]);
});

it('limits the size of a batch, unless a single item is larger', async () => {
  const { line, goes } = together();
  await Promise.all([1, 4, 5, 2, 30, 1].map((item) => line.run('a', item)));
  expect(goes.map(([, items]) => items)).toEqual([[1], [4, 5], [2], [30], [1]]);
});

it('isolates a failing call from the others of its batch', async () => {
  const { line, goes } = together((items) => items.includes(3));
  const ends = await Promise.allSettled([1, 2, 3, 4].map((item) => line.run('a', item)));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(goes.map(([, items]) => items)).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
});

it('continues after a failure', async () => {
  const { line } = together((items) => items.includes(3));
  await expect(line.run('a', 3)).rejects.toThrow('not 3');
  expect(await line.run('a', 4)).toBe('a4');
});
