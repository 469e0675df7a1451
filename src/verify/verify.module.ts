import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { EngineModule } from './engine.module.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [AuthModule, BillingModule, EngineModule],
  controllers: [VerifyController],
  providers: [VerifyService],
})
export class VerifyModule {}
