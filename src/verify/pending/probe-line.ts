import type { OnModuleDestroy } from '@nestjs/common';
import { Places } from '../../platform/clock/places.js';

export interface ProbeLineOptions {
  /** Probes that ask mail hosts at once. */
  readonly asking: number;
  /** Probes that get ready to ask at once, beside them. */
  readonly ready: number;
}

/**
 * The turns of a process on their way to the mail hosts. Few of them get ready at a time: they read their row and take the
 * flight of their address, which others may want, so nobody does that long before it can ask. What is stored after a probe
 * takes nobody's place.
 */
export class ProbeLine implements OnModuleDestroy {
  private readonly ready: Places;
  private readonly asking: Places;

  constructor({ asking, ready }: ProbeLineOptions) {
    this.ready = new Places(ready);
    this.asking = new Places(asking);
  }

  /** At the end of the line, for one turn. */
  place(): PlaceInLine {
    return new PlaceInLine(this.ready, this.asking);
  }

  /** The process stops: nobody gets ready or begins to ask any more. Those who ask go on. */
  onModuleDestroy(): void {
    this.ready.close();
    this.asking.close();
  }
}

/** How far one turn has come in the line. */
export class PlaceInLine {
  private holds: Places | null = null;

  constructor(
    private readonly ready: Places,
    private readonly asking: Places,
  ) {}

  /** Waits until it may get ready. @returns false when the process stops */
  async getReady(): Promise<boolean> {
    if (this.holds === null) return this.advance(this.ready);
    return this.holds === this.asking || !this.ready.isClosed;
  }

  /**
   * Waits until it may ask, whoever is ready.
   * @param maxWaitMs as long as it takes when left out
   * @returns false when there was no place in time, or the process stops
   */
  async ask(maxWaitMs?: number): Promise<boolean> {
    return this.holds === this.asking || this.advance(this.asking, maxWaitMs);
  }

  /** Lets the next one have its place. It may come again, at the end of the line. */
  leave(): void {
    this.holds?.giveBack();
    this.holds = null;
  }

  private async advance(to: Places, maxWaitMs?: number): Promise<boolean> {
    if (!(await to.take(maxWaitMs))) return false;
    this.leave();
    this.holds = to;
    return true;
  }
}
