import { Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** A change is in force everywhere within 5 s: the rest is for the query and the read. */
const LOOK_EVERY_MS = 2000;
/** No requests are served before the first read. */
const LOOK_FIRST_EVERY_MS = 250;
/** Of the query for versions. */
export const ASK_DEADLINE_MS = 2000;
/** A hundred thousand entries take a fraction of a second. */
export const READ_DEADLINE_MS = 10_000;

/**
 * Follows lists that the database keeps: reads them at start and when their versions change. The last ones stay while the
 * database is down.
 */
export abstract class ListsFollower implements OnModuleInit, BeforeApplicationShutdown {
  protected readonly logger: Logger;
  private inTrouble = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  /** @param what names the lists in the log */
  constructor(
    context: string,
    private readonly what: string,
  ) {
    this.logger = new Logger(context);
  }

  /** False until the lists have been read once. */
  abstract get ready(): boolean;

  /** Reads what has changed. */
  protected abstract refresh(): Promise<void>;

  /**
   * Waits for the first attempt only, like the database's own connector: without the database the process starts, but
   * is not ready.
   */
  async onModuleInit(): Promise<void> {
    await this.look();
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const began = performance.now();
    try {
      await this.refresh();
      if (this.inTrouble) this.logger.log(`${this.what} are read again`);
      this.inTrouble = false;
    } catch (error) {
      if (!this.inTrouble && !this.stopped)
        this.logger.warn({ err: error }, `${this.what} cannot be read; trying again`);
      this.inTrouble = true;
    }
    if (this.stopped) return;
    const dueMs = began + (this.ready ? LOOK_EVERY_MS : LOOK_FIRST_EVERY_MS) - performance.now();
    this.timer = setTimeout(() => void this.look(), Math.max(0, dueMs)).unref();
  }
}
