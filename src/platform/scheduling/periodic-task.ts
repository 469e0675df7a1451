import type { BeforeApplicationShutdown, Logger, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { LogThrottle } from './log-throttle.js';

const EVERY_MS = 5000;

/**
 * Runs every few seconds from start to shutdown, one run at a time. A failed run is logged; the next one tries again.
 */
export abstract class PeriodicTask implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  protected abstract readonly logger: Logger;
  /** The log message of a failed run. */
  protected abstract readonly failureMessage: string;
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;
  private finishedAt: Date | null = null;
  private failed = false;
  private stopping = false;
  private readonly warnings = new LogThrottle();

  constructor(private readonly everyMs: number = EVERY_MS) {}

  /** When the last successful run ended; null before the first. */
  get lastFinishedAt(): Date | null {
    return this.finishedAt;
  }

  /** Whether the last run failed. */
  get failing(): boolean {
    return this.failed;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.begin(), this.everyMs).unref();
    void this.begin();
  }

  onModuleDestroy(): void {
    this.stopping = true;
    if (this.timer !== null) clearInterval(this.timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }

  /** Whether the process shuts down. A run may end early then. */
  protected get stopped(): boolean {
    return this.stopping;
  }

  /** One run. Several processes may run theirs at the same time. */
  protected abstract runOnce(): Promise<void>;

  /** Begins a run, unless one is under way. @returns its end; never rejects */
  protected begin(): Promise<void> {
    this.running ??= this.run().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  /** Never rejects. */
  private async run(): Promise<void> {
    try {
      await this.runOnce();
      this.finishedAt = new Date();
      this.failed = false;
    } catch (error) {
      this.failed = true;
      if (!this.stopping && this.warnings.passes()) this.logger.warn({ err: error }, this.failureMessage);
    }
  }
}
