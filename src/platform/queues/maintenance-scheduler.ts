import { InjectQueue } from '@nestjs/bullmq';
import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Queue } from 'bullmq';
import { MAINTENANCE_JOB_OPTIONS, MAINTENANCE_QUEUE } from './maintenance.queue.js';
import { MaintenanceTasks } from './maintenance-tasks.js';
import { LIVE_STATES } from './job-states.js';

/** Tests set it. */
export const SCHEDULE_EVERY_MS = Symbol('SCHEDULE_EVERY_MS');

/** Redis may lose all data at any moment, the schedule included. */
const EVERY_MS = 60_000;

/** Schedules every maintenance task, once for all processes. */
@Injectable()
export class MaintenanceScheduler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Maintenance');
  private timer: NodeJS.Timeout | undefined;
  private isScheduling = false;
  private isClosing = false;

  constructor(
    @InjectQueue(MAINTENANCE_QUEUE.name) private readonly queue: Queue,
    private readonly tasks: MaintenanceTasks,
    @Optional() @Inject(SCHEDULE_EVERY_MS) private readonly everyMs: number = EVERY_MS,
  ) {}

  /** Returns at once: while Redis is down nothing is scheduled and nothing is lost. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.schedule(), this.everyMs).unref();
    void this.schedule();
  }

  beforeApplicationShutdown(): void {
    this.isClosing = true;
    clearInterval(this.timer);
  }

  /** Adds every missing task to the schedule. Never rejects. */
  private async schedule(): Promise<void> {
    if (this.isScheduling) return;
    this.isScheduling = true;
    try {
      for (const { name, everyMs } of this.tasks.list()) {
        if (await this.isScheduled(name, everyMs)) continue;
        await this.queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: MAINTENANCE_JOB_OPTIONS });
      }
    } catch (error) {
      if (!this.isClosing) this.logger.warn({ err: error }, 'maintenance tasks could not be scheduled; trying again');
    } finally {
      this.isScheduling = false;
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
