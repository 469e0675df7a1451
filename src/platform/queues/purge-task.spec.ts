import { PurgeTask, type Purge } from './purge-task.js';

const taskOf = (...purges: Purge[]) => new PurgeTask('delete-old-rows', 1, purges);

/** Deletes as many rows as it is told, one number after the other. */
const purging = (...deleted: number[]) => jest.fn<Promise<number>, Parameters<Purge>>(async () => deleted.shift()!);

/** The clock: a run has ten seconds, which pass only when a test says so. */
let now = 0;
beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

it('goes on until fewer rows are left than a statement deletes, then to the next kind', async () => {
  const purges = [purging(500, 500, 7), purging(0), purging(500, 0)];
  await taskOf(...purges).run(new AbortController().signal);
  expect(purges.map(({ mock }) => mock.calls.length)).toEqual([3, 1, 2]);
  expect(purges[0]!.mock.lastCall?.[0]).toBe(500);
});

it('ends after the statement under way when the process stops', async () => {
  const stop = new AbortController();
  const first = purging(500, 500).mockImplementationOnce(async () => {
    stop.abort();
    return 500;
  });
  const second = purging(0);
  await taskOf(first, second).run(stop.signal);
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).not.toHaveBeenCalled();
});

it('ends when other tasks of the queue have waited long enough', async () => {
  const purge = jest.fn(async () => {
    now += 4000;
    return 500;
  });
  await taskOf(purge).run(new AbortController().signal);
  expect(purge).toHaveBeenCalledTimes(3);
});
