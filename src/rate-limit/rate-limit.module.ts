import { Logger, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Redis } from 'ioredis';
import { ApiKeyGate } from '../auth/api-key.gate.js';
import { AuthModule } from '../auth/auth.module.js';
import { AppConfig } from '../platform/config/app-config.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { Buckets, type BucketsParts } from './buckets.js';
import { LocalBuckets } from './local-buckets.js';
import { countRefusals, showOutage } from './rate-limit-metrics.js';
import { RateLimitGate } from './rate-limit.gate.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RedisBuckets } from './redis-buckets.js';

/**
 * Importing it puts the gate (key, then token) before every route that is not public, and `RateLimitGuard` on all of
 * them. Needs `RedisModule` in the process.
 */
@Module({
  imports: [AuthModule],
  providers: [
    {
      provide: Buckets,
      inject: [Redis],
      useFactory: (redis: Redis) =>
        new Buckets({
          shared: new RedisBuckets(redis),
          local: { key: new LocalBuckets(), address: new LocalBuckets() },
          onChange: logged(),
        }),
    },
    {
      provide: RequestGate,
      inject: [ApiKeyGate, Buckets, AppConfig, { token: Metrics, optional: true }],
      useFactory: (keys: ApiKeyGate, buckets: Buckets, { rateLimit }: AppConfig, metrics?: Metrics) => {
        if (metrics !== undefined) showOutage(metrics.registry, buckets);
        const onRefusal = metrics && countRefusals(metrics.registry);
        return new RateLimitGate({ keys, buckets, ...rateLimit, ...(onRefusal && { onRefusal }) });
      },
    },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [RequestGate],
})
export class RateLimitModule {}

function logged(): BucketsParts['onChange'] {
  const logger = new Logger('RateLimit');
  return (change) => {
    if (change === 'kept again') logger.log('requests are counted by all processes together again');
    else logger.warn({ err: change.error }, 'Redis does not keep rate limits: this process counts requests by itself');
  };
}
