import {
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { CrawlUpkeepRepository } from '../store/crawl-upkeep.repository.js';
import type { CrawlQueue } from './crawl-queue.js';

export interface CrawlReconcilerParts {
  readonly upkeep: Pick<CrawlUpkeepRepository, 'takeDue'>;
  readonly queue: Pick<CrawlQueue, 'add'>;
  readonly everyMs?: number;
}

const EVERY_MS = 5000;
/** In one round; there is a next one. */
const MAX_DUE = 500;
const TROUBLE_EVERY_MS = 60_000;

/**
 * Puts domains on the queue whose time has come, by MySQL alone, whatever Redis has lost. It runs in every worker that serves
 * the queue; several of them do no harm.
 */
export class CrawlReconciler implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('CrawlReconciler');
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private last: Date | null = null;
  private broken = false;
  private lastTrouble = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: CrawlReconcilerParts) {}

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
    try {
      this.parts.queue.add(await this.parts.upkeep.takeDue(MAX_DUE));
      this.last = new Date();
      this.broken = false;
    } catch (error) {
      this.broken = true;
      if (performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
      this.lastTrouble = performance.now();
      this.logger.warn({ err: error }, 'due crawls could not be looked after; trying again');
    }
  }
}
