import { only } from '../../test/factories/only.js';
import { maintenanceTasksOf } from '../platform/queues/maintenance-every.js';
import { ExpiredJobsRepository } from './expired-jobs.repository.js';

const never = new AbortController().signal;

/** The clock: a run has ten seconds, which pass only when a test says so. */
let now = 0;
beforeEach(() => jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

/** Fakes a store of expired jobs, and records what is deleted. */
function storeOf(jobs: { id: string; total: number; chunks: number }[], onDelete: () => void = () => undefined) {
  const left = [...jobs];
  const log: string[] = [];
  const note = async (what: string): Promise<void> => {
    log.push(what);
    onDelete();
  };
  const statements: Partial<ExpiredJobsRepository> = {
    findExpired: async (limit) => left.slice(0, limit),
    deleteResults: async () => undefined,
    deleteOutcomes: async () => undefined,
    deleteEntries: (id, from, to) => note(`${id} entries ${from}-${to}`),
    chunkNumbers: async (id) => jobs.find((job) => job.id === id)!.chunks,
    deleteChunks: (id, from, to) => note(`${id} chunks ${from}-${to}`),
    deleteJob: async (id) => {
      left.splice(
        left.findIndex((job) => job.id === id),
        1,
      );
      await note(`${id} job`);
    },
  };
  const [task] = maintenanceTasksOf(Object.assign(new ExpiredJobsRepository(only({})), statements));
  return { log, left, task: task! };
}

it('deletes entries a thousand at a time, then chunks, then the job', async () => {
  const { log, task } = storeOf([{ id: 'a', total: 2001, chunks: 1500 }]);
  await task.run(never);
  expect(log).toEqual([
    'a entries 0-1000',
    'a entries 1000-2000',
    'a entries 2000-2001',
    'a chunks 0-1000',
    'a chunks 1000-1500',
    'a job',
  ]);
});

it('continues until none is left', async () => {
  const { left, task } = storeOf(Array.from({ length: 120 }, (_, i) => ({ id: `j${i}`, total: 1, chunks: 0 })));
  await task.run(never);
  expect(left).toEqual([]);
});

it('leaves the rest, including the job row, to the next run when the process stops', async () => {
  const stop = new AbortController();
  const { log, left, task } = storeOf([{ id: 'a', total: 2000, chunks: 0 }], () => stop.abort());
  await task.run(stop.signal);
  expect(log).toEqual(['a entries 0-1000']);
  expect(left).toHaveLength(1);
});

it('leaves the rest to the next run when other tasks have waited long enough', async () => {
  const { log, task } = storeOf([{ id: 'a', total: 10_000, chunks: 0 }], () => {
    now += 4000;
  });
  await task.run(never);
  expect(log).toHaveLength(3);
});
