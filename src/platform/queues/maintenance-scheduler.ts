import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { PeriodicTask } from '../scheduling/periodic-task.js';
import { MAINTENANCE_QUEUE } from './maintenance.queue.js';
import { MaintenanceTasks } from './maintenance-tasks.js';
import { JOB_OPTIONS, LIVE_STATES } from './job-states.js';

/** Tests set it. */
export const SCHEDULE_EVERY_MS = Symbol('SCHEDULE_EVERY_MS');

/** Redis may lose all data at any moment, the schedule included. */
const EVERY_MS = 60_000;

/** Schedules every maintenance task, once for all processes. While Redis is down nothing is scheduled and nothing is lost. */
@Injectable()
export class MaintenanceScheduler extends PeriodicTask {
  protected readonly logger = new Logger('Maintenance');
  protected readonly failureMessage = 'maintenance tasks could not be scheduled; trying again';

  constructor(
    @InjectQueue(MAINTENANCE_QUEUE.name) private readonly queue: Queue,
    private readonly tasks: MaintenanceTasks,
    @Optional() @Inject(SCHEDULE_EVERY_MS) everyMs: number = EVERY_MS,
  ) {
    super(everyMs);
  }

  /** Waits for no run: without Redis it would not end. */
  override async beforeApplicationShutdown(): Promise<void> {}

  /** Adds every missing task to the schedule. */
  protected override async runOnce(): Promise<void> {
    for (const { name, everyMs } of this.tasks.list()) {
      if (await this.isScheduled(name, everyMs)) continue;
      await this.queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: JOB_OPTIONS });
    }
  }

  /**
   * A Redis that evicts keys may delete the next run and leave the schedule, which then never runs again: delete the
   * schedule in that case.
   */
  private async isScheduled(name: string, everyMs: number): Promise<boolean> {
    const { queue } = this;
    const scheduled = await queue.getJobScheduler(name);
    if (scheduled?.every !== everyMs) return false;
    const next = await queue.getJob(`repeat:${name}:${scheduled.next}`);
    if (next !== undefined && LIVE_STATES.has(await next.getState())) return true;
    // It may have run since.
    if ((await queue.getJobScheduler(name))?.next !== scheduled.next) return true;
    await queue.removeJobScheduler(name);
    await next?.remove();
    return false;
  }
}
