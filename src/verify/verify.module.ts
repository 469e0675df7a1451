import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { PolitenessModule } from '../platform/politeness/politeness.module.js';
import { EngineHost } from './engine-host.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [AuthModule, BillingModule, PolitenessModule],
  controllers: [VerifyController],
  providers: [EngineHost, VerifyService],
})
export class VerifyModule {}
