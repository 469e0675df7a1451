import { PurgeEvery, purgeTasksOf } from './purge-every.js';

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
  const tasks = purgeTasksOf(rows);
  expect(tasks.map(({ name, everyMs }) => [name, everyMs])).toEqual([
    ['delete-old-rows', 1000],
    ['delete-orphans', 2000],
  ]);
  for (const task of tasks) await task.run(new AbortController().signal);
  expect(rows.deleted).toEqual(['old 500', 'older', 'orphans']);
});

it('makes no task of a provider without such methods', () => {
  expect(purgeTasksOf(new Date())).toEqual([]);
});
