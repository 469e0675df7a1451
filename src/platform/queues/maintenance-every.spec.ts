import { MaintenanceEvery, maintenanceTasksOf, PurgeEvery } from './maintenance-every.js';

class Rows {
  readonly deleted: string[] = [];

  @PurgeEvery(1000, 'delete-old-rows')
  deleteOld(limit: number): Promise<number> {
    return this.delete(`old ${limit}`);
  }

  @PurgeEvery(2000, 'delete-orphans')
  deleteOrphans(): Promise<number> {
    return this.delete('orphans');
  }

  @MaintenanceEvery(3000, 'look-for-others')
  async look(signal: AbortSignal): Promise<void> {
    this.deleted.push(signal.aborted ? 'none' : 'others');
  }

  @PurgeEvery(1000, 'delete-old-rows')
  deleteOlder(): Promise<number> {
    return this.delete('older');
  }

  private async delete(which: string): Promise<number> {
    this.deleted.push(which);
    return 0;
  }
}

it('makes the methods of a provider tasks, those of one name one task', async () => {
  const rows = new Rows();
  const tasks = maintenanceTasksOf(rows);
  expect(tasks.map(({ name, everyMs }) => [name, everyMs])).toEqual([
    ['delete-old-rows', 1000],
    ['delete-orphans', 2000],
    ['look-for-others', 3000],
  ]);
  for (const task of tasks) await task.run(new AbortController().signal);
  expect(rows.deleted).toEqual(['old 500', 'older', 'orphans', 'others']);
});

it('makes no task of a provider without such methods', () => {
  expect(maintenanceTasksOf(new Date())).toEqual([]);
});

type Purge = (limit: number, goesOn: () => boolean) => Promise<number>;

/** One task of these purges, in their order. */
function taskOf(...purges: Purge[]) {
  const prototype = Object.assign(
    class {}.prototype,
    Object.fromEntries(purges.map((purge, i) => [`purge${i}`, purge])),
  );
  for (const i of purges.keys()) PurgeEvery(1, 'delete-old-rows')<Purge>(prototype, `purge${i}`, {});
  return maintenanceTasksOf(Object.create(prototype) as object)[0]!;
}

/** Deletes as many rows as it is told, one number after the other. */
const purging = (...deleted: number[]) =>
  jest.fn<Promise<number>, [number, (() => boolean)?]>(async () => deleted.shift()!);

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
