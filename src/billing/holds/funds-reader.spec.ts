import { setImmediate as nextTurn } from 'node:timers/promises';
import { NO_FUNDS, type Funds } from '../funds.js';
import { FundsReader } from './funds-reader.js';

/** Reads time out after a second, which passes only when the test says so. */
beforeEach(() => jest.spyOn(performance, 'now').mockReturnValue(1000));
afterEach(() => jest.restoreAllMocks());

function readerOf(answer: (ids: readonly string[]) => ReadonlyMap<string, Funds>) {
  const queries: string[] = [];
  const reader = new FundsReader({
    read: async (ids) => {
      queries.push(ids.join(' '));
      await nextTurn();
      return new Map(answer(ids));
    },
  });
  return { reader, queries };
}
const all = (ids: readonly string[]) =>
  new Map(ids.map((id, i): [string, Funds] => [id, { ...NO_FUNDS, purchased: i }]));

it('reads the accounts that are requested during a query with the next one, each once', async () => {
  const { reader, queries } = readerOf(all);
  const first = reader.read('a');
  await nextTurn();
  await Promise.all([first, reader.read('b'), reader.read('c'), reader.read('b')]);
  expect(queries).toEqual(['a', 'b c']);
});

it('never answers from a read that began before the call', async () => {
  const { reader, queries } = readerOf(all);
  const first = reader.read('a');
  await nextTurn();
  const second = reader.read('a');
  expect((await second)!.asOf).toBeGreaterThanOrEqual((await first)!.asOf);
  expect(queries).toEqual(['a', 'a']);
});

it('throws service_unavailable for every waiting call, and reads again for the next', async () => {
  let down = true;
  const { reader } = readerOf((ids) => {
    if (down) throw new Error('down');
    return all(ids);
  });
  const outcomes = await Promise.allSettled([reader.read('a'), reader.read('b')]);
  expect(outcomes.map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : null))).toEqual([
    'service_unavailable',
    'service_unavailable',
  ]);
  down = false;
  expect(await reader.read('a')).toMatchObject({ funds: { purchased: 0 } });
});

it('gives up on a database that does not answer', async () => {
  const reader = new FundsReader({ read: () => new Promise(() => undefined) });
  await expect(reader.read('a')).rejects.toMatchObject({ code: 'service_unavailable' });
});
