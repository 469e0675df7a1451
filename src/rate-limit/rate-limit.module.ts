import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { Buckets } from './buckets.js';
import { RedisBuckets } from './redis-buckets.js';
import { RateLimitMetrics } from './rate-limit-metrics.js';
import { RateLimitGuard } from './rate-limit.guard.js';

/**
 * Puts `RateLimitGuard` (key, then token) before every route that is not public. Needs `RedisModule` and `Metrics` in the
 * process.
 */
@Module({
  imports: [AuthModule],
  providers: [
    Buckets,
    RedisBuckets,
    RateLimitMetrics,
    RateLimitGuard,
    { provide: RequestGate, useExisting: RateLimitGuard },
    { provide: APP_GUARD, useExisting: RateLimitGuard },
  ],
  exports: [RequestGate],
})
export class RateLimitModule {}
