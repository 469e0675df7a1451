import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { BoundedReading } from '../metrics-endpoint/bounded-reading.js';
import type { QueueConsumer } from './queue-consumer.js';
import type { QueueDepth } from './queue-depths.js';
import type { QueueName } from '../config/queue-names.js';
import { Standstill } from './standstill.js';

const LOOK_EVERY_MS = 10_000;

/** What is watched of a consumer. */
export type WatchedConsumer = Pick<QueueConsumer<never>, 'name' | 'active' | 'steps' | 'isRefused'>;

export interface QueueWatchOptions {
  readonly depths: Pick<BoundedReading<ReadonlyMap<QueueName, QueueDepth>>, 'read'>;
  /** How long nothing may move while work waits; longer than any run of a job takes, milliseconds. */
  readonly patienceMs: number;
  readonly lookEveryMs?: number;
}

/**
 * Notices a worker that has stuck: its runs never end, or it takes no job, although work waits and Redis lets it. Such a
 * process answers every question and does nothing, and only a restart mends it.
 */
export class QueueWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly watched: { readonly consumer: WatchedConsumer; readonly standstill: Standstill }[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: QueueWatchOptions) {}

  watch(consumer: WatchedConsumer): void {
    this.watched.push({ consumer, standstill: new Standstill(3 * this.lookEveryMs) });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), this.lookEveryMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** What stands still for too long, for operators; null while nothing does. */
  get fault(): string | null {
    const { patienceMs } = this.options;
    const faults = this.watched
      .filter(({ standstill }) => standstill.lastsMs >= patienceMs)
      .map(({ consumer: { name, active }, standstill: { lastsMs } }) => {
        return `on the queue ${name} work waits and nothing has moved for ${Math.floor(lastsMs / 1000)} s (${active} jobs are held)`;
      });
    return faults.length === 0 ? null : faults.join('; ');
  }

  /** How long nothing has moved on each queue, when it was last looked at. */
  get standstills(): readonly { readonly queue: QueueName; readonly ms: number }[] {
    return this.watched.map(({ consumer: { name }, standstill: { lastsMs } }) => ({ queue: name, ms: lastsMs }));
  }

  private get lookEveryMs(): number {
    return this.options.lookEveryMs ?? LOOK_EVERY_MS;
  }

  private async look(): Promise<void> {
    const depths = await this.options.depths.read();
    for (const { consumer, standstill } of this.watched) {
      const { name, steps, isRefused } = consumer;
      const waiting = isRefused ? null : (depths?.get(name)?.waiting ?? null);
      standstill.see({ at: performance.now(), steps, waiting });
    }
  }
}
