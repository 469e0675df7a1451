import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { QueueOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import type { SharedBullConfigurationFactory } from '@nestjs/bullmq';
import { AppSecrets } from '../config/app-secrets.js';
import type { LocalWork } from './local-line.js';
import type { QueueName } from '../config/queue-names.js';
import { createQueueRedis } from './queue-redis.js';
import { QUEUE_PREFIX } from './quiet-queue.js';

/**
 * What befell jobs because of Redis: it did not take them and this process runs them itself, or it had lost their place in the
 * queue and they were put there again.
 */
export type QueueException = 'run_here' | 'put_back';

/** The connection that the queues of a process share; workers open another one each, to wait on. */
@Injectable()
export class QueueConnection implements SharedBullConfigurationFactory, OnApplicationShutdown {
  readonly redis: Redis;
  /** Who in this process runs jobs that Redis does not take, by the queue that they are for. */
  readonly servedHere = new Map<QueueName, (work: LocalWork) => void>();
  /** For metrics. */
  onException: (queue: QueueName, what: QueueException, jobs: number) => void = () => undefined;

  constructor({ redisUrl }: AppSecrets) {
    this.redis = createQueueRedis(redisUrl);
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
    return { connection: this.redis, prefix: QUEUE_PREFIX };
  }

  get isReady(): boolean {
    return this.redis.status === 'ready';
  }

  /** Waits for Redis. @returns false when it did not come within `ms` */
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

  /** Producers and workers have closed by then. */
  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
