/** Timer interval. */
const EVERY_MS = 100;
/** Weight of each sample: one long turn among short ones counts little. */
const WEIGHT = 0.2;

/**
 * The smoothed lag of the event loop that its own work causes: how long a due callback waits. A process without
 * processor time lags too, but refusing requests would not help: lag counts up to twice the processor time used.
 */
export class EventLoopLag {
  private timer: NodeJS.Timeout | null = null;
  private lastAt = 0;
  private lastCpu = process.cpuUsage();
  private average = 0;

  /** Milliseconds. */
  get ms(): number {
    return this.average;
  }

  /** @param onLook called after each sample */
  start(onLook: () => void): void {
    this.lastAt = performance.now();
    this.lastCpu = process.cpuUsage();
    this.timer = setInterval(() => {
      const now = performance.now();
      const cpu = process.cpuUsage();
      const workedMs = (cpu.user + cpu.system - this.lastCpu.user - this.lastCpu.system) / 1000;
      this.record(Math.min(now - this.lastAt - EVERY_MS, 2 * workedMs));
      this.lastAt = now;
      this.lastCpu = cpu;
      onLook();
    }, EVERY_MS).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
  }

  /** @param lateMs how late the timer was */
  record(lateMs: number): void {
    this.average += (Math.max(0, lateMs) - this.average) * WEIGHT;
  }
}
