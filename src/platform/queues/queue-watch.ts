import { Injectable, Optional, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import type { QueueName } from '../config/queue-names.js';
import { Liveness } from '../health/liveness.js';
import { Metrics } from '../metrics/metrics.js';
import { showFigures } from '../metrics/show-gauge.js';
import { QueueDepths } from './queue-depths.js';
import { Standstill } from './standstill.js';

const LOOK_EVERY_MS = 10_000;

/** A job runs for up to a minute, so several minutes without progress mean that something is stuck. */
const LEAST_PATIENCE_MS = 300_000;

/** The watched state of a queue that this process serves. */
export interface WatchedQueue {
  readonly name: QueueName;
  /** Running jobs. */
  readonly active: number;
  /** Runs started plus runs ended: the queue moves while it grows. */
  readonly steps: number;
  /** Redis answers but hands out no job. */
  readonly isRefused: boolean;
}

/** Tests set it. */
export abstract class QueueWatchTimes {
  /** How long a queue with waiting work may stand still, milliseconds; longer than any run of a job. */
  abstract readonly patienceMs: number;
  abstract readonly lookEveryMs: number;
}

/**
 * Detects a stuck worker: its runs never end, or it takes no job although work waits and Redis hands it out. Such a
 * process answers all requests and does no work; only a restart helps.
 */
@Injectable()
export class QueueWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly watched: { readonly queue: WatchedQueue; readonly standstill: Standstill }[] = [];
  private readonly times: QueueWatchTimes;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly depths: QueueDepths,
    liveness: Liveness,
    { probes: { deadlineMs } }: AppConfig,
    { registry }: Metrics,
    @Optional() times: QueueWatchTimes = {
      patienceMs: Math.max(LEAST_PATIENCE_MS, 3 * deadlineMs),
      lookEveryMs: LOOK_EVERY_MS,
    },
  ) {
    this.times = times;
    liveness.watch(() => this.fault);
    const help = 'For how long nothing has moved on a queue in this process although work waits; 0 while it moves';
    showFigures(registry, 'mailvet_queue_standstill_seconds', help, ['queue'], () =>
      this.watched.map(({ queue, standstill }) => [{ queue: queue.name }, standstill.durationMs / 1000]),
    );
  }

  watch(queue: WatchedQueue): void {
    this.watched.push({ queue, standstill: new Standstill(3 * this.times.lookEveryMs) });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), this.times.lookEveryMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The queues that have stood still too long, for operators; null if none. */
  get fault(): string | null {
    const { patienceMs } = this.times;
    const faults = this.watched
      .filter(({ standstill }) => standstill.durationMs >= patienceMs)
      .map(({ queue: { name, active }, standstill: { durationMs } }) => {
        return `on the queue ${name} work waits and nothing has moved for ${Math.floor(durationMs / 1000)} s (${active} jobs are held)`;
      });
    return faults.length === 0 ? null : faults.join('; ');
  }

  private async look(): Promise<void> {
    const depths = await this.depths.read();
    for (const { queue, standstill } of this.watched) {
      const { name, steps, isRefused } = queue;
      const waiting = isRefused ? null : (depths?.get(name)?.waiting ?? null);
      standstill.observe({ at: performance.now(), steps, waiting });
    }
  }
}
