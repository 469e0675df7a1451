import { purgeTasksOf } from '../../src/platform/queues/purge-every.js';

/** Deletes old rows as the maintenance tasks of this provider do. */
export async function purge(provider: object): Promise<void> {
  for (const task of purgeTasksOf(provider)) await task.run(new AbortController().signal);
}
