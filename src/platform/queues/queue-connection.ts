import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Queue, QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SharedBullConfigurationFactory } from '@nestjs/bullmq';
import { AppConfig } from '../config/app-config.js';
import { AppSecrets } from '../config/app-secrets.js';
import type { InProcessJob } from './in-process-queue.js';
import type { QueueName } from '../config/queue-names.js';
import { partNames, type QueueParts } from './queue-parts.js';
import { connectRedis } from '../redis/connect-redis.js';
import { openParts } from './queue-without-error-log.js';

/**
 * Jobs affected by Redis: `run_here`: Redis did not accept it and this process runs it; `put_back`: Redis had lost its
 * place in the queue and it was added again.
 */
export type QueueException = 'run_here' | 'put_back';

/** The connection that all queues of a process share; each worker opens another one to wait on. */
@Injectable()
export class QueueConnection implements SharedBullConfigurationFactory, OnApplicationShutdown {
  readonly redis: Redis;
  /** Runs jobs that Redis does not accept in this process, by queue. */
  readonly servedHere = new Map<QueueName, (work: InProcessJob) => void>();
  private readonly parts: QueueParts;
  private readonly further = new Map<QueueName, readonly Queue[]>();
  /** For metrics. */
  onException: (queue: QueueName, what: QueueException, jobs: number) => void = () => undefined;

  constructor({ redisUrl }: AppSecrets, { queues }: AppConfig) {
    this.parts = queues.parts;
    this.redis = connectRedis(redisUrl, { maxRetriesPerRequest: null });
    const logger = new Logger('Queues');
    let down = false;
    this.redis.on('error', (error) => {
      if (!down) logger.warn({ err: error }, 'Redis is not reachable for queues; trying again');
      down = true;
    });
    this.redis.on('ready', () => {
      if (down) logger.log('Redis is reachable again for queues');
      down = false;
    });
  }

  /** For `BullModule`. */
  createSharedConfiguration(): QueueOptions {
    return { connection: this.redis };
  }

  /** The parts of a queue beside the one that `BullModule` makes. */
  furtherParts(name: QueueName): readonly Queue[] {
    const known = this.further.get(name) ?? openParts(this.redis, partNames(name, this.parts).slice(1));
    this.further.set(name, known);
    return known;
  }

  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /**
   * Waits for Redis.
   * @returns false if it is not ready within `ms`
   */
  ready(ms: number): Promise<boolean> {
    if (this.isReady) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isReady: boolean): void => {
        clearTimeout(timer);
        this.redis.off('ready', onReady);
        resolve(isReady);
      };
      const onReady = (): void => settle(true);
      const timer = setTimeout(() => settle(false), ms).unref();
      this.redis.on('ready', onReady);
    });
  }

  /** Runs after producers and workers have closed. */
  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
