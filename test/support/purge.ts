import { maintenanceTasksOf } from '../../src/platform/queues/maintenance-every.js';

/** Deletes old rows as the maintenance tasks of this provider do. */
export async function purge(provider: object): Promise<void> {
  for (const task of maintenanceTasksOf(provider)) await task.run(new AbortController().signal);
}
