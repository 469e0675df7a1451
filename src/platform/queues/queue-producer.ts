import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Job, Queue } from 'bullmq';
import { BackgroundWriter } from '../batching/background-writer.js';
import { LogThrottle } from '../scheduling/log-throttle.js';
import { isRequestId } from '../http/request-id.js';
import { logContext } from '../logging/log-context.js';
import { isRefusal } from '../redis/redis-errors.js';
import { tracing, type Carried } from '../tracing/tracing.js';
import type { InProcessJob } from './in-process-queue.js';
import type { QueueConnection } from './queue-connection.js';
import { FairPriorities } from './fair-priorities.js';
import { partOf } from './queue-parts.js';
import { JOB_OPTIONS, LIVE_STATES } from './job-states.js';
import type { Addition, WorkQueue } from './work-queue.js';

export type { Queue } from 'bullmq';

/** Jobs per packet. */
const BATCH = 500;
/** Jobs beyond this are left to the reconciler of the rows in MySQL. */
const MAX_WAITING = 20_000;
const READY_MS = 2000;
const LEFT_TO_OTHERS = 'Redis does not accept jobs: the reconciler queues them again';
const RUN_HERE = 'Redis refuses jobs: this process runs them itself';

/** With the tracing span of the caller. */
interface Waiting<P> extends Addition<P> {
  readonly carried?: Carried;
}

/** A queue in Redis: one of those that a queue is split into. */
interface Part {
  readonly bull: Queue;
  readonly priorities: FairPriorities;
}

interface Placed<P> extends Waiting<P> {
  readonly priority: number;
  /** Better than the place of the queued job. */
  readonly isBetter: boolean;
}

/**
 * Adds jobs to a queue in the background, so that callers neither wait for Redis nor fail with it: MySQL records the
 * work. A job that Redis refuses (it is full or read-only) runs in this process, if it serves the queue; a reconciler
 * adds any other job again that Redis did not accept. Each queue has one subclass.
 */
export abstract class QueueProducer<P extends object> implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Queues');
  private readonly parts: readonly Part[];
  private readonly warnings = new LogThrottle();
  private readonly writer = new BackgroundWriter<Waiting<P>>({
    write: (batch) => this.send(batch),
    onFailure: (error, dropped) => this.leave(error, dropped),
    maxBatch: BATCH,
    maxWaiting: MAX_WAITING,
  });
  private closing = false;

  constructor(
    private readonly queue: WorkQueue<P>,
    bull: Queue,
    private readonly connection: QueueConnection,
  ) {
    this.parts = [bull, ...connection.furtherParts(queue.name)].map((part) => ({
      bull: part,
      priorities: new FairPriorities(connection.redis, part),
    }));
  }

  /** Returns at once and never throws. Keeps a job that is already queued. */
  protected enqueue(additions: readonly Addition<P>[]): void {
    if (this.closing) return;
    const { room } = this.writer;
    if (additions.length > room) {
      this.trouble(LEFT_TO_OTHERS, new Error('too many jobs wait for Redis'), additions.length - room);
    }
    const taken: readonly Waiting<P>[] = additions.slice(0, Math.max(0, room));
    const carried = tracing()?.carry(this.queue.name, taken.length);
    const { requestId } = logContext();
    const further = { ...(carried && { carried }), ...(isRequestId(requestId) && { requestId }) };
    for (const addition of taken) this.writer.add({ ...further, ...addition });
  }

  /** Sends pending jobs, if Redis accepts them soon. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    await this.writer.settled();
  }

  private leave(error: unknown, dropped: readonly Waiting<P>[]): void {
    const serve = isRefusal(error) ? this.connection.servedHere.get(this.queue.name) : undefined;
    this.trouble(serve === undefined ? LEFT_TO_OTHERS : RUN_HERE, error, dropped.length);
    for (const addition of dropped) serve?.(this.localWork(addition));
  }

  private async send(waiting: readonly Waiting<P>[]): Promise<void> {
    if (!(await this.connection.ready(READY_MS))) throw new Error('Redis is not reachable');
    const { parts, queue } = this;
    const partOfEach = waiting.map(({ payload }) => partOf(queue.jobId(payload), parts.length));
    const sent = await Promise.allSettled(
      parts.map(async (part, index) => {
        const ofPart = waiting.filter((_, i) => partOfEach[i] === index);
        if (ofPart.length > 0) await this.sendTo(part, ofPart);
      }),
    );
    const failed = sent.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  private async sendTo(part: Part, waiting: readonly Waiting<P>[]): Promise<void> {
    const batch = await this.placed(part, waiting);
    await this.put(part, batch);
    const there = batch.filter(({ hasten, isBetter }) => hasten === true || isBetter);
    const lost = await Promise.all(there.map((addition) => this.bringForward(part, addition)));
    const again = there.filter((_, i) => lost[i]);
    if (again.length === 0) return;
    const why = new Error('Redis deletes keys: is its maxmemory-policy noeviction?');
    this.trouble('jobs had lost their place in the queue: they are put there again', why, again.length);
    this.connection.onException(this.queue.name, 'put_back', again.length);
    await this.put(part, again);
  }

  private async put({ bull }: Part, batch: readonly Placed<P>[]): Promise<void> {
    await bull.addBulk(
      batch.map((addition) => ({
        name: this.queue.name,
        data: this.dataOf(addition),
        opts: {
          ...JOB_OPTIONS,
          jobId: this.queue.jobId(addition.payload),
          priority: addition.priority,
          ...((addition.delayMs ?? 0) > 0 ? { delay: addition.delayMs! } : {}),
        },
      })),
    );
  }

  private async placed({ priorities: fair }: Part, batch: readonly Waiting<P>[]): Promise<Placed<P>[]> {
    const jobs = batch.flatMap(({ payload, priority }) =>
      typeof priority === 'number' ? [] : [{ flow: priority.flow, jobId: this.queue.jobId(payload) }],
    );
    const priorities = (await fair.assign(jobs)).values();
    return batch.map((addition) => {
      if (typeof addition.priority === 'number') return { ...addition, priority: addition.priority, isBetter: false };
      const { priority, kind } = priorities.next().value!;
      return { ...addition, priority, isBetter: kind === 'better' };
    });
  }

  /**
   * Moves a queued job forward; one of the same priority keeps its place.
   * @returns whether the job had lost its place and was removed, so that it must be added again
   */
  private async bringForward({ bull }: Part, { payload, priority, hasten }: Placed<P>): Promise<boolean> {
    const job = await bull.getJob(this.queue.jobId(payload));
    if (job === undefined) return false;
    if (!LIVE_STATES.has(await job.getState())) return takeAway(job);
    if (job.priority > priority) await job.changePriority({ priority });
    // It may have started meanwhile.
    if (hasten === true && job.delay > 0) await job.promote().catch(() => undefined);
    return false;
  }

  private localWork(addition: Waiting<P>): InProcessJob {
    const { payload, priority, delayMs = 0 } = addition;
    return { id: this.queue.jobId(payload), data: this.dataOf(addition), priority, delayMs };
  }

  private dataOf({ payload, carried, requestId }: Waiting<P>): object {
    return { ...payload, ...carried, ...(requestId !== undefined && { requestId }) };
  }

  private trouble(what: string, error: unknown, jobs: number): void {
    if (this.warnings.passes()) this.logger.warn({ err: error, queue: this.queue.name, jobs }, what);
  }
}

/**
 * A Redis that evicts keys may delete a queue's order and leave its jobs, whose ids would stay taken: delete such a
 * job.
 * @returns false while a worker still runs it
 */
async function takeAway(job: Job): Promise<boolean> {
  try {
    await job.remove();
    return true;
  } catch (error) {
    if (isRefusal(error)) throw error;
    return false;
  }
}
