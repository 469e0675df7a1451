import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { EgressReportModule } from './engine/egress-report.module.js';
import { UsageModule } from '../billing/usage/usage.module.js';
import { VerifyController } from './verify.controller.js';
import { VerifyModule } from './verify.module.js';

/** `POST /v1/verify/single` and `/batch`. Needs `DatabaseModule`, `RedisModule` and `HealthModule`. */
@Module({
  imports: [AuthModule, BillingModule, EgressReportModule, UsageModule, VerifyModule],
  controllers: [VerifyController],
})
export class VerifyApiModule {}
