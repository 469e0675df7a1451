import { ResultPages, type ReadPage, type ResultPage } from './result-pages.js';

const freely = (): void => undefined;
const result = (i: number): string => `{"n":${i}}`;
const reading = (calls: [number, number][], there = 10_000): ReadPage => {
  return async (from, to) => {
    calls.push([from, to]);
    return Array.from({ length: Math.max(0, Math.min(to, there) - from) }, (_, i) => result(from + i));
  };
};
async function all(pages: AsyncIterable<ResultPage>): Promise<string[]> {
  const texts: string[] = [];
  for await (const page of pages) texts.push(...page);
  return texts;
}

it('reads pages in order, up to the requested end', async () => {
  const calls: [number, number][] = [];
  const held: number[] = [];
  const pages = await new ResultPages().open(reading(calls), 3, 1234, (characters) => held.push(characters));
  expect(await all(pages)).toEqual(Array.from({ length: 1231 }, (_, i) => `{"n":${3 + i}}`));
  expect(calls).toEqual([
    [3, 103],
    [103, 603],
    [603, 1103],
    [1103, 1234],
  ]);
  expect(held.reduce((sum, characters) => sum + characters)).toBe(
    Array.from({ length: 1231 }, (_, i) => result(3 + i)).join('').length,
  );
});

it.each([
  [0, 0],
  [10, 5],
])('reads nothing from %d to %d', async (from, to) => {
  const calls: [number, number][] = [];
  expect(await all(await new ResultPages().open(reading(calls), from, to, freely))).toEqual([]);
  expect(calls).toEqual([]);
});

it('reads the first page eagerly and the others on demand', async () => {
  const calls: [number, number][] = [];
  const pages = await new ResultPages().open(reading(calls), 0, 10_000, freely);
  expect(calls).toHaveLength(1);
  await pages.next();
  expect(calls).toHaveLength(1);
  await pages.next();
  expect(calls).toHaveLength(2);
  await pages.return(undefined);
  expect(calls).toHaveLength(2);
});

it('fails on missing results, at once or on the way', async () => {
  await expect(new ResultPages().open(reading([], 99), 0, 100, freely)).rejects.toThrow('missing from 0 on');
  const pages = await new ResultPages().open(reading([], 999), 0, 1000, freely);
  await expect(all(pages)).rejects.toThrow('missing from 600 on');
});

it('reads a few pages at once across all callers', async () => {
  let inside = 0;
  let most = 0;
  const read: ReadPage = async (from, to) => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside--;
    return Array.from({ length: to - from }, (_, i) => result(from + i));
  };
  const pages = new ResultPages();
  await Promise.all(Array.from({ length: 20 }, async () => all(await pages.open(read, 0, 2000, freely))));
  expect(most).toBe(4);
});

it('reads fewer rows if they are long, and at least one', async () => {
  const calls: [number, number][] = [];
  const read: ReadPage = async (from, to) => {
    calls.push([from, to]);
    return Array.from({ length: to - from }, (_, i) => 'x'.repeat(from + i < 100 ? 2622 : 300_000));
  };
  await all(await new ResultPages().open(read, 0, 202, freely));
  // A page of 256 KiB holds a hundred of the first kind; the longer rows are known only once they were read.
  expect(calls).toEqual([
    [0, 100],
    [100, 199],
    [199, 200],
    [200, 201],
    [201, 202],
  ]);
});

it('ends if there is no memory for a page, at once or on the way', async () => {
  const full = (room: number) => (characters: number) => {
    if (characters > room) throw new Error('no room');
  };
  await expect(new ResultPages().open(reading([]), 0, 1000, full(10))).rejects.toThrow('no room');
  const pages = await new ResultPages().open(reading([]), 0, 1000, full(1000));
  await expect(all(pages)).rejects.toThrow('no room');
});
