import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EngineHost } from './engine-host.js';
import { VerifyController } from './verify.controller.js';
import { VerifyService } from './verify.service.js';

@Module({
  imports: [AuthModule],
  controllers: [VerifyController],
  providers: [EngineHost, VerifyService],
})
export class VerifyModule {}
