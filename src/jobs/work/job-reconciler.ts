import {
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { JobQueue } from '../job-queue.js';
import type { JobEnder } from './job-ender.js';
import type { JobReconciliationRepository } from './reconciliation.repository.js';

export interface JobReconcilerParts {
  readonly repository: Pick<JobReconciliationRepository, 'takeDue' | 'takeIdle' | 'overdue'>;
  readonly ender: Pick<JobEnder, 'end'>;
  readonly queue: Pick<JobQueue, 'again'>;
  readonly everyMs?: number;
}

const EVERY_MS = 5000;
/** In one round; there is a next one. */
const MAX_CHUNKS = 1000;
const MAX_JOBS = 100;
const MAX_OVERDUE = 5;
const TROUBLE_EVERY_MS = 60_000;

/**
 * Sees to it that every job is completed, by MySQL alone, whatever Redis has lost (decisions 7.1): puts what is unfinished
 * on the queue again, and ends jobs after a day. It runs in every worker that serves the queue; several do no harm.
 */
export class JobReconciler implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Reconciler');
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopped = false;
  private last: Date | null = null;
  private broken = false;
  private lastTrouble = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: JobReconcilerParts) {}

  /** When a round was last finished. */
  get lastRound(): Date | null {
    return this.last;
  }

  /** The last round could not be finished. */
  get failing(): boolean {
    return this.broken;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), this.parts.everyMs ?? EVERY_MS).unref();
    this.begin();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    if (this.timer !== null) clearInterval(this.timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.round;
  }

  /** One round after the other. */
  private begin(): void {
    this.round ??= this.run().finally(() => {
      this.round = null;
    });
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    const { repository, queue } = this.parts;
    try {
      const chunks = await repository.takeDue(MAX_CHUNKS);
      queue.again({ chunks, toPlan: [], toShape: [] });
      queue.again({ chunks: [], ...(await repository.takeIdle(MAX_JOBS)) });
      await this.endOverdue();
      this.last = new Date();
      this.broken = false;
    } catch (error) {
      this.broken = true;
      this.trouble(error);
    }
  }

  private async endOverdue(): Promise<void> {
    const { repository, ender } = this.parts;
    for (const jobId of await repository.overdue(MAX_OVERDUE)) {
      if (this.stopped) return;
      await ender.end(jobId, 'it was not completed within a day');
    }
  }

  private trouble(error: unknown): void {
    if (performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
    this.lastTrouble = performance.now();
    this.logger.warn({ err: error }, 'jobs could not be looked after; trying again');
  }
}
