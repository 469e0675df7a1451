import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { HealthDetails } from './health-details.js';
import { ProcessState } from './process-state.js';
import { Readiness } from './readiness.js';

/** `/health/*`; needs `DatabaseModule` and `RedisModule` in the process. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [ProcessState, Readiness, HealthDetails],
  exports: [ProcessState, Readiness, HealthDetails],
})
export class HealthModule {}
