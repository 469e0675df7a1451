import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppError } from '../platform/errors/app-error.js';
import { verifySingleRequest, type VerifySingleRequest } from './verify.request.js';
import type { VerifyResult } from './verify.response.js';
import { VerifyService } from './verify.service.js';

@Controller('v1/verify')
@UseGuards(ApiKeyGuard)
export class VerifyController {
  constructor(
    private readonly service: VerifyService,
    private readonly config: AppConfig,
  ) {}

  /** Verifies one address, waiting for its mail host as long as `VERIFY_DEADLINE_MS` allows. */
  @Post('single')
  @HttpCode(200)
  single(
    @Req() request: FastifyRequest,
    @Body({ schema: verifySingleRequest }) { email, mode }: VerifySingleRequest,
  ): Promise<VerifyResult> {
    // A sandbox key never makes us ask a mail host, and has no results of its own yet.
    if (callerOf(request)?.mode === 'test') {
      throw new AppError('verify_unavailable', 'Sandbox keys have no results yet.');
    }
    return this.service.verify(email, { mode, deadlineMs: this.config.verify.deadlineMs });
  }
}
