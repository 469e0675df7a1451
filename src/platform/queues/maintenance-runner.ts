import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Queue, type Job, type Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import type { MaintenanceTask } from './maintenance-task.js';
import { MAINTENANCE_JOB_OPTIONS, MAINTENANCE_QUEUE, QUEUE_PREFIX } from './maintenance.queue.js';
import { PatientWorker } from './patient-worker.js';
import { KEPT_NOWHERE, STANDS_IN } from './standing-jobs.js';
import { createQueueRedis } from './queue-redis.js';

/** Redis may be emptied at any moment, and the schedule with it. */
const LOOK_EVERY_MS = 60_000;
const TROUBLE_EVERY_MS = 60_000;
/** How long a close waits for Redis to be told. */
const CLOSE_MS = 3000;

interface Open {
  readonly redis: Redis;
  readonly queue: Queue;
  readonly worker: Worker;
  readonly timer: NodeJS.Timeout;
}

export interface MaintenanceOptions {
  readonly lookEveryMs?: number;
  readonly onRun?: (outcome: 'over' | 'failed', seconds: number) => void;
}

/** Runs the maintenance tasks of a worker process, each on its schedule, in one process at a time. */
export class MaintenanceRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Maintenance');
  private readonly stop = new AbortController();
  private readonly tasks: ReadonlyMap<string, MaintenanceTask>;
  private open: Open | null = null;
  private running: Promise<void> = Promise.resolve();
  private lastTrouble = Number.NEGATIVE_INFINITY;

  /** @throws Error when two tasks have one name */
  constructor(
    private readonly redisUrl: string,
    tasks: readonly MaintenanceTask[],
    private readonly options: MaintenanceOptions = {},
  ) {
    this.tasks = new Map(tasks.map((task) => [task.name, task]));
    if (this.tasks.size !== tasks.length) throw new Error('two maintenance tasks have one name');
  }

  /** Returns at once: while Redis is down nothing is scheduled and nothing is lost. */
  onApplicationBootstrap(): void {
    const redis = createQueueRedis(this.redisUrl);
    const queue = new Queue(MAINTENANCE_QUEUE, { connection: redis, prefix: QUEUE_PREFIX });
    const worker = new PatientWorker(MAINTENANCE_QUEUE, (job) => this.run(job), {
      connection: redis,
      prefix: QUEUE_PREFIX,
      concurrency: 1,
      removeOnComplete: KEPT_NOWHERE,
      removeOnFail: KEPT_NOWHERE,
    });
    redis.on('error', (error) => this.trouble(error));
    queue.on('error', (error) => this.trouble(error));
    worker.on('error', (error) => this.trouble(error));
    worker.on('failed', (job, error) =>
      this.logger.error({ err: error, task: job?.name }, 'a maintenance task failed'),
    );
    const timer = setInterval(() => void this.schedule(queue), this.options.lookEveryMs ?? LOOK_EVERY_MS).unref();
    this.open = { redis, queue, worker, timer };
    void this.schedule(queue);
  }

  /** Waits for the task under way, which ends early. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.open === null) return;
    const { redis, queue, worker, timer } = this.open;
    this.open = null;
    clearInterval(timer);
    this.stop.abort();
    await this.running;
    // Without Redis a worker waits for it even to close.
    const closed = Promise.all([worker.close(redis.status !== 'ready'), queue.close()]).catch(() => undefined);
    const late = new AbortController();
    await Promise.race([closed, delay(CLOSE_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    redis.disconnect();
  }

  /** Puts every task on the schedule that is not there. */
  private async schedule(queue: Queue): Promise<void> {
    try {
      for (const { name, everyMs } of this.tasks.values()) {
        if (await isScheduled(queue, name, everyMs)) continue;
        await queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: MAINTENANCE_JOB_OPTIONS });
      }
    } catch (error) {
      this.trouble(error);
    }
  }

  private async run(job: Job): Promise<void> {
    const task = this.tasks.get(job.name);
    if ((job.name as string | undefined) === undefined) throw new Error('Redis has deleted which task was to run');
    // Of a newer release, whose workers will do it.
    if (task === undefined) throw new Error(`there is no maintenance task ${job.name} in this build`);
    const began = performance.now();
    const tell = (outcome: 'over' | 'failed'): void =>
      this.options.onRun?.(outcome, (performance.now() - began) / 1000);
    const work = task.run(this.stop.signal);
    this.running = work.then(
      () => tell('over'),
      () => tell('failed'),
    );
    await work;
  }

  /** A server that is down fails once a second: one line a minute says so. */
  private trouble(error: unknown): void {
    if (this.open === null || performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
    this.lastTrouble = performance.now();
    this.logger.warn({ err: error }, 'the maintenance queue is not reachable; trying again');
  }
}

/**
 * Where Redis may delete keys, it deletes the place of the next run and leaves the schedule, which nothing moves on any more: it is
 * taken away then.
 */
async function isScheduled(queue: Queue, name: string, everyMs: number): Promise<boolean> {
  const scheduled = await queue.getJobScheduler(name);
  if (scheduled?.every !== everyMs) return false;
  const next = await queue.getJob(`repeat:${name}:${scheduled.next}`);
  if (next !== undefined && STANDS_IN.has(await next.getState())) return true;
  // It may have had its turn since.
  if ((await queue.getJobScheduler(name))?.next !== scheduled.next) return true;
  await queue.removeJobScheduler(name);
  await next?.remove();
  return false;
}
