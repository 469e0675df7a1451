import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { JobsController } from './jobs.controller.js';
import { JobsModule } from './jobs.module.js';

/** `/v1/verify/jobs`. Needs `DatabaseModule` and `RedisModule`. */
@Module({ imports: [AuthModule, BillingModule, JobsModule], controllers: [JobsController] })
export class JobsApiModule {}
