import { Global, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { AppSecrets } from '../config/app-secrets.js';
import { DailyAmounts } from './daily-amounts.js';
import { createRedis } from './redis-client.js';
import { RedisHealth } from './redis-health.js';
import { refuseWrongRedis } from './refuse-wrong-redis.js';

/** The one `Redis` of a process for ordinary commands, injectable everywhere. */
@Global()
@Module({
  providers: [
    // A factory: the client comes from ioredis and connects to the configured URL.
    { provide: Redis, inject: [AppSecrets], useFactory: ({ redisUrl }: AppSecrets) => createRedis(redisUrl) },
    RedisHealth,
    DailyAmounts,
  ],
  exports: [Redis, RedisHealth, DailyAmounts],
})
export class RedisModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly redis: Redis) {}

  /** Waits for a moment at most. */
  async onModuleInit(): Promise<void> {
    await refuseWrongRedis(this.redis);
  }

  /** Runs after the HTTP server has closed and all requests are answered. */
  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
