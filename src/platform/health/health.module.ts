import { Global, Module } from '@nestjs/common';
import { HealthController } from './health.controller.js';
import { ProcessState } from './process-state.js';
import { Readiness } from './readiness.js';

/** `/health/*`; needs `DatabaseModule` and `RedisModule` in the process. */
@Global()
@Module({
  controllers: [HealthController],
  providers: [ProcessState, Readiness],
  exports: [ProcessState],
})
export class HealthModule {}
