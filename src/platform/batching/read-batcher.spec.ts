import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReadBatcher } from './read-batcher.js';

function readsOf(answer: (keys: readonly string[]) => ReadonlyMap<string, string>) {
  const queries: string[] = [];
  const reads = new ReadBatcher<string>(async (keys) => {
    queries.push(keys.join(' '));
    await nextTurn();
    return answer(keys);
  });
  return { reads, queries };
}
const upper = (keys: readonly string[]) => new Map(keys.map((key) => [key, key.toUpperCase()]));

describe('ReadBatcher', () => {
  it('reads what several events of one turn of the event loop ask for in one query', async () => {
    const { reads, queries } = readsOf(upper);
    const first = reads.read(['a']);
    await Promise.resolve();
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await Promise.all([first, reads.read(['b'])]);
    expect(queries).toEqual(['a b']);
  });

  it('reads the keys of one event-loop turn in one query, each once, and answers each caller', async () => {
    const { reads, queries } = readsOf((keys) => upper(keys.filter((key) => key !== 'missing')));
    const found = await Promise.all([reads.read(['a', 'b']), reads.read(['b', 'missing']), reads.read([])]);
    expect(queries).toEqual(['a b missing']);
    expect(found.map((own) => Object.fromEntries(own))).toEqual([{ a: 'A', b: 'B' }, { b: 'B' }, {}]);
  });

  it('reads keys that are requested during a query with the next one, even a key that is being read', async () => {
    const { reads, queries } = readsOf(upper);
    const first = reads.read(['a']);
    await nextTurn();
    await Promise.all([first, reads.read(['a']), reads.read(['b', 'c'])]);
    expect(queries).toEqual(['a', 'a b c']);
  });

  it('limits the keys of a query, without splitting a caller', async () => {
    const { reads, queries } = readsOf(upper);
    const wanted = [300, 200, 100, 2000, 1].map((count, i) => Array.from({ length: count }, (_, n) => `${i}.${n}`));
    const found = await Promise.all(wanted.map((keys) => reads.read(keys)));
    expect(queries.map((keys) => keys.split(' ').length)).toEqual([500, 100, 2000, 1]);
    expect(found.map(({ size }) => size)).toEqual([300, 200, 100, 2000, 1]);
  });

  it('reads a single value, undefined where there is none', async () => {
    const { reads, queries } = readsOf(() => new Map([['a', 'A']]));
    expect(await Promise.all([reads.readOne('a'), reads.readOne('b')])).toEqual(['A', undefined]);
    expect(queries).toEqual(['a b']);
  });

  it('throws service_unavailable for every waiting caller, and reads again for the next', async () => {
    let down = true;
    const { reads } = readsOf((keys) => {
      if (down) throw new Error('down');
      return upper(keys);
    });
    const first = reads.read(['a']);
    await nextTurn();
    const outcomes = await Promise.allSettled([first, reads.read(['b'])]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
    }
    down = false;
    expect(await reads.read(['c'])).toEqual(new Map([['c', 'C']]));
  });

  it('refuses callers beyond its bound', async () => {
    const { reads } = readsOf(upper);
    const many = reads.read(Array.from({ length: 20_000 }, (_, n) => String(n)));
    await expect(reads.read(['a'])).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await many).size).toBe(20_000);
    expect((await reads.read(['a'])).get('a')).toBe('A');
  });

  it('gives up on a database that does not answer', async () => {
    const reads = new ReadBatcher(() => new Promise<never>(() => undefined));
    await expect(reads.read(['a'])).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
