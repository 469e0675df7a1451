import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { HealthDetails } from './health-details.js';
import { HealthService } from './health.service.js';
import { Liveness } from './liveness.js';
import { ProcessState } from '../process/process-state.js';
import { Readiness } from './readiness.js';

/** `/health/*`; needs `DatabaseModule` and `RedisModule` in the process. */
@Global()
@Module({
  // The code that answers requests logs failures.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [ProcessState, Liveness, Readiness, HealthDetails, HealthService],
  exports: [ProcessState, Liveness, Readiness, HealthDetails, HealthService],
})
export class HealthModule {}
