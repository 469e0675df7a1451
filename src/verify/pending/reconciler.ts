import {
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { ProbeEndingsRepository } from './probe-endings.repository.js';
import type { ProbeQueue } from './probe-queue.js';
import type { ReconciliationRepository } from './reconciliation.repository.js';

export interface ReconcilerParts {
  readonly repository: ReconciliationRepository;
  readonly endings: Pick<ProbeEndingsRepository, 'fail'>;
  readonly queue: Pick<ProbeQueue, 'add'>;
  readonly everyMs?: number;
}

const EVERY_MS = 5000;
/** In one round; there is a next one. */
const MAX_DUE = 500;
const MAX_OVERDUE = 100;
const MAX_LATE = 200;
const MAX_DELETED = 500;
const TROUBLE_EVERY_MS = 60_000;

/**
 * Sees to it that no address stays pending, by MySQL alone, whatever Redis has lost (decisions 6.8): puts due probes on the
 * queue again, ends those whose time is over, and settles what was charged after its probe had ended. It runs in every worker
 * that serves the queue; several of them do no harm.
 */
export class Reconciler implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Reconciler');
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopped = false;
  private page: string | null = null;
  private last: Date | null = null;
  private broken = false;
  private lastTrouble = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ReconcilerParts) {}

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
      queue.add(await repository.takeDue(MAX_DUE), true);
      await this.endOverdue();
      if (!this.stopped) this.page = await repository.settleLate(MAX_LATE, this.page);
      if (!this.stopped) await repository.deleteFailed(MAX_DELETED);
      this.last = new Date();
      this.broken = false;
    } catch (error) {
      this.broken = true;
      this.trouble(error);
    }
  }

  private async endOverdue(): Promise<void> {
    const { repository, endings } = this.parts;
    for (const id of await repository.overdue(MAX_OVERDUE)) {
      if (this.stopped) return;
      const ended = await endings.fail(id, 'it had no ending within an hour');
      if (ended) this.logger.warn('a probe ends without a verdict: it had no ending within an hour');
    }
  }

  private trouble(error: unknown): void {
    if (performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
    this.lastTrouble = performance.now();
    this.logger.warn({ err: error }, 'pending probes could not be looked after; trying again');
  }
}
