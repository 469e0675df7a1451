import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../billing.module.js';
import { CreditsController } from './credits.controller.js';

/** `/v1/credits`. Needs `DatabaseModule` and `RedisModule`. */
@Module({ imports: [AuthModule, BillingModule], controllers: [CreditsController] })
export class CreditsApiModule {}
