import { Injectable, Optional, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { AppConfig } from '../config/app-config.js';
import type { QueueName } from '../config/queue-names.js';
import { Liveness } from '../health/liveness.js';
import { Metrics } from '../metrics/metrics.js';
import { QueueDepths } from './queue-depths.js';
import { Standstill } from './standstill.js';

const LOOK_EVERY_MS = 10_000;

/** Runs of jobs take a minute; nothing moves for minutes only where something has stuck. */
const LEAST_PATIENCE_MS = 300_000;

/** What is watched of a queue that this process serves. */
export interface WatchedQueue {
  readonly name: QueueName;
  /** Jobs that run now. */
  readonly active: number;
  /** How many runs have begun and ended so far, together: while it grows, something moves. */
  readonly steps: number;
  /** Redis answers, and lets nobody take a job. */
  readonly isRefused: boolean;
}

/** Tests set it. */
export abstract class QueueWatchTimes {
  /** How long nothing may move while work waits; longer than any run of a job takes, milliseconds. */
  abstract readonly patienceMs: number;
  abstract readonly lookEveryMs: number;
}

/**
 * Notices a worker that has stuck: its runs never end, or it takes no job, although work waits and Redis lets it. Such a
 * process answers every question and does nothing, and only a restart mends it.
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
    const standstill = new Gauge({
      name: 'mailvet_queue_standstill_seconds',
      help: 'For how long nothing has moved on a queue in this process although work waits; 0 while it moves',
      labelNames: ['queue'],
      registers: [registry],
      collect: () => {
        for (const { queue, ms } of this.standstills) standstill.set({ queue }, ms / 1000);
      },
    });
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

  /** What stands still for too long, for operators; null while nothing does. */
  get fault(): string | null {
    const { patienceMs } = this.times;
    const faults = this.watched
      .filter(({ standstill }) => standstill.lastsMs >= patienceMs)
      .map(({ queue: { name, active }, standstill: { lastsMs } }) => {
        return `on the queue ${name} work waits and nothing has moved for ${Math.floor(lastsMs / 1000)} s (${active} jobs are held)`;
      });
    return faults.length === 0 ? null : faults.join('; ');
  }

  /** How long nothing has moved on each queue, when it was last looked at. */
  private get standstills(): readonly { readonly queue: QueueName; readonly ms: number }[] {
    return this.watched.map(({ queue: { name }, standstill: { lastsMs } }) => ({ queue: name, ms: lastsMs }));
  }

  private async look(): Promise<void> {
    const depths = await this.depths.read();
    for (const { queue, standstill } of this.watched) {
      const { name, steps, isRefused } = queue;
      const waiting = isRefused ? null : (depths?.get(name)?.waiting ?? null);
      standstill.see({ at: performance.now(), steps, waiting });
    }
  }
}
