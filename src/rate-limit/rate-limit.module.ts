import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { Buckets } from './buckets.js';
import { RateLimitMetrics } from './rate-limit-metrics.js';
import { RateLimitGate } from './rate-limit.gate.js';
import { RateLimitGuard } from './rate-limit.guard.js';
import { RedisBuckets } from './redis-buckets.js';

/**
 * Puts the gate (key, then token) before every route that is not public, and `RateLimitGuard` on all routes. Needs
 * `RedisModule` and `Metrics` in the process.
 */
@Module({
  imports: [AuthModule],
  providers: [
    RedisBuckets,
    Buckets,
    RateLimitMetrics,
    RateLimitGate,
    { provide: RequestGate, useExisting: RateLimitGate },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [RequestGate],
})
export class RateLimitModule {}
