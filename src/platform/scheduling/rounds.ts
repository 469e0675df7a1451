import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

const EVERY_MS = 5000;
/** A fault that lasts is told of once in so long. */
const TROUBLE_EVERY_MS = 60_000;

/**
 * Work that comes round every few seconds while the process runs, one round after the other: the first when it starts, none
 * once it is to stop. A round that fails is no matter, there is a next one.
 */
export abstract class PeriodicTask implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  protected abstract readonly logger: Logger;
  /** What the log says when a round fails. */
  protected abstract readonly failureMessage: string;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private finishedAt: Date | null = null;
  private failed = false;
  private stopping = false;
  private lastWarnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly everyMs: number = EVERY_MS) {}

  /** When a round was last finished. */
  get lastFinishedAt(): Date | null {
    return this.finishedAt;
  }

  /** The last round could not be finished. */
  get failing(): boolean {
    return this.failed;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.begin(), this.everyMs).unref();
    this.begin();
  }

  onModuleDestroy(): void {
    this.stopping = true;
    if (this.timer !== null) clearInterval(this.timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }

  /** The process is to stop: what is left of a round may be left out. */
  protected get stopped(): boolean {
    return this.stopping;
  }

  /** One round. Several processes may be at theirs at once. */
  protected abstract runOnce(): Promise<void>;

  private begin(): void {
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    try {
      await this.runOnce();
      this.finishedAt = new Date();
      this.failed = false;
    } catch (error) {
      this.failed = true;
      if (performance.now() - this.lastWarnedAt < TROUBLE_EVERY_MS) return;
      this.lastWarnedAt = performance.now();
      this.logger.warn({ err: error }, this.failureMessage);
    }
  }
}
