import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { BucketsModule } from './buckets.module.js';
import { RateLimitMetrics } from './rate-limit-metrics.js';
import { RateLimitGate } from './rate-limit.gate.js';
import { RateLimitGuard } from './rate-limit.guard.js';

/**
 * Puts the gate (key, then token) before every route that is not public, and `RateLimitGuard` on all routes. Needs
 * `RedisModule` and `Metrics` in the process.
 */
@Module({
  imports: [AuthModule, BucketsModule],
  providers: [
    RateLimitMetrics,
    RateLimitGate,
    { provide: RequestGate, useExisting: RateLimitGate },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [RequestGate],
})
export class RateLimitModule {}
