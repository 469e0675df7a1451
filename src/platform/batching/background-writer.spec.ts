import { BackgroundWriter } from './background-writer.js';

function setUp(write: (items: readonly string[]) => Promise<void> = () => Promise.resolve(), gatherMs?: number) {
  const written: (readonly string[])[] = [];
  const failures: unknown[] = [];
  const writer = new BackgroundWriter<string>({
    write: (items) => {
      written.push(items);
      return write(items);
    },
    onFailure: (error, dropped) => void failures.push([error, dropped]),
    maxBatch: 2,
    ...(gatherMs !== undefined && { gatherMs }),
    maxWaiting: 3,
  });
  return { writer, written, failures };
}

describe('BackgroundWriter', () => {
  it('writes the items of one moment in batches, one after the other', async () => {
    const { writer, written } = setUp();
    for (const item of ['a', 'b', 'c']) writer.add(item);
    expect(written).toEqual([]);
    await writer.settled();
    expect(written).toEqual([['a', 'b'], ['c']]);
  });

  it('ignores an item while one with its key waits or is written, and when there is no room', async () => {
    const { writer, written } = setUp();
    writer.add('a1', 'a');
    writer.add('a2', 'a');
    await Promise.resolve();
    expect(written).toEqual([['a1']]);
    for (const item of ['a3', 'b', 'c', 'd']) writer.add(item, item[0]);
    expect(writer.room).toBe(0);
    await writer.settled();
    expect(written).toEqual([['a1'], ['b', 'c']]);
    writer.add('a4', 'a');
    await writer.settled();
    expect(written.at(-1)).toEqual(['a4']);
  });

  it('writes an item that comes just as the last write ends', async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      const { writer, written } = setUp();
      writer.add('a');
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      writer.add('b');
      await writer.settled();
      expect(written.flat()).toEqual(['a', 'b']);
    }
  });

  it('drops everything that waits when a write fails, and writes what comes then', async () => {
    const error = new Error('away');
    let isAway = true;
    const { writer, written, failures } = setUp(() => (isAway ? Promise.reject(error) : Promise.resolve()));
    for (const item of ['a', 'b', 'c']) writer.add(item);
    await writer.settled();
    expect(failures).toEqual([[error, ['a', 'b', 'c']]]);
    isAway = false;
    writer.add('d');
    await writer.settled();
    expect(written).toEqual([['a', 'b'], ['d']]);
  });

  it('waits neither for ever until a write ends, nor for ever until everything is written', async () => {
    jest.useFakeTimers();
    const { writer, failures } = setUp(() => new Promise(() => undefined));
    writer.add('a');
    const settled = writer.settled();
    await jest.advanceTimersByTimeAsync(1001);
    await settled;
    expect([failures.length, writer.room]).toEqual([0, 2]);
    await jest.advanceTimersByTimeAsync(4000);
    expect([failures.length, writer.room]).toEqual([1, 3]);
    jest.useRealTimers();
  });

  it('gathers items for a while, where it is told to, unless somebody waits for them', async () => {
    jest.useFakeTimers();
    const { writer, written } = setUp(undefined, 100);
    writer.add('a');
    await jest.advanceTimersByTimeAsync(99);
    writer.add('b');
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(written).toEqual([['a', 'b']]);
    for (const item of ['c', 'd', 'e']) writer.add(item);
    await writer.settled();
    expect(written.slice(1)).toEqual([['c', 'd'], ['e']]);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});
