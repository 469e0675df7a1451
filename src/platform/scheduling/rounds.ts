import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

const EVERY_MS = 5000;
/** A fault that lasts is told of once in so long. */
const TROUBLE_EVERY_MS = 60_000;

/**
 * Work that comes round every few seconds while the process runs, one round after the other: the first when it starts, none
 * once it is to stop. A round that fails is no matter, there is a next one.
 */
export abstract class Rounds implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  protected abstract readonly logger: Logger;
  /** What the log says when a round fails. */
  protected abstract readonly trouble: string;
  private timer: NodeJS.Timeout | null = null;
  private underWay: Promise<void> | null = null;
  private last: Date | null = null;
  private broken = false;
  private over = false;
  private lastTrouble = Number.NEGATIVE_INFINITY;

  constructor(private readonly everyMs: number = EVERY_MS) {}

  /** When a round was last finished. */
  get lastRound(): Date | null {
    return this.last;
  }

  /** The last round could not be finished. */
  get failing(): boolean {
    return this.broken;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), this.everyMs).unref();
    this.begin();
  }

  onModuleDestroy(): void {
    this.over = true;
    if (this.timer !== null) clearInterval(this.timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.underWay;
  }

  /** The process is to stop: what is left of a round may be left out. */
  protected get stopped(): boolean {
    return this.over;
  }

  /** One round. Several processes may be at theirs at once. */
  protected abstract round(): Promise<void>;

  private begin(): void {
    this.underWay ??= this.run().finally(() => {
      this.underWay = null;
    });
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    try {
      await this.round();
      this.last = new Date();
      this.broken = false;
    } catch (error) {
      this.broken = true;
      if (performance.now() - this.lastTrouble < TROUBLE_EVERY_MS) return;
      this.lastTrouble = performance.now();
      this.logger.warn({ err: error }, this.trouble);
    }
  }
}
