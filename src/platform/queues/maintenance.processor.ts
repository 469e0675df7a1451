import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { MAINTENANCE_QUEUE, type MaintenancePayload } from './maintenance.queue.js';
import { MaintenanceTasks } from './maintenance-tasks.js';
import { QueueWorkerHost } from './queue-worker-host.js';
import { OVER, type JobEnding } from './work-queue.js';
import { WorkerHostServices } from './worker-host-services.js';

/** Serves the queue of maintenance tasks. */
@Processor(MAINTENANCE_QUEUE.name, { autorun: false })
export class MaintenanceProcessor extends QueueWorkerHost<MaintenancePayload> {
  constructor(
    private readonly tasks: MaintenanceTasks,
    services: WorkerHostServices,
  ) {
    super(MAINTENANCE_QUEUE, services, { concurrency: 1, isRecurring: true });
  }

  protected override async handle({ task: name }: MaintenancePayload, stop: AbortSignal): Promise<JobEnding> {
    const task = this.tasks.get(name);
    // A task of a newer release: its workers run it.
    if (task === undefined) throw new Error(`there is no maintenance task ${name} in this build`);
    await task.run(stop);
    return OVER;
  }

  protected override dataOf({ name }: Job): unknown {
    return { task: name };
  }

  protected override logFailure(error: unknown, { task }: MaintenancePayload): void {
    this.logger.error({ err: error, task }, 'a maintenance task failed');
  }
}
