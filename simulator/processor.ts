import type { Clock, Process } from './clock.js';

/** A processor that serves one after the other, such as the one thread of a worker. */
export class Processor {
  busyMs = 0;
  private freeAtMs = 0;

  /** @param speed 1: a whole core */
  constructor(
    private readonly clock: Clock,
    private readonly speed: number,
  ) {}

  *work(ms: number): Process {
    if (ms === 0) return;
    const { clock } = this;
    this.busyMs += ms;
    this.freeAtMs = Math.max(this.freeAtMs, clock.nowMs) + ms / this.speed;
    yield clock.sleep(this.freeAtMs - clock.nowMs);
  }
}
