import { Body, Controller, Header, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { Deliveries } from '../billing/deliveries.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AppError } from '../platform/errors/app-error.js';
import { verifySingleRequest, type VerifySingleRequest } from './verify.request.js';
import { VerifyService } from './verify.service.js';

@Controller('v1/verify')
@UseGuards(ApiKeyGuard)
export class VerifyController {
  constructor(
    private readonly service: VerifyService,
    private readonly deliveries: Deliveries,
    private readonly config: AppConfig,
  ) {}

  /** Verifies one address, waiting for its mail host as long as `VERIFY_DEADLINE_MS` allows. */
  @Post('single')
  @HttpCode(200)
  @Header('Content-Type', 'application/json; charset=utf-8')
  @RouteConfig({ billing: 'verify' })
  single(
    @Req() request: FastifyRequest,
    @Body({ schema: verifySingleRequest }) { email, mode }: VerifySingleRequest,
  ): Promise<string> {
    const options = { mode, deadlineMs: this.config.verify.deadlineMs };
    return this.deliveries.deliver(request, 'single', (terms) => {
      // A sandbox key never makes us ask a mail host, and has no results of its own yet.
      if (callerOf(request)?.mode === 'test') {
        throw new AppError('verify_unavailable', 'Sandbox keys have no results yet.');
      }
      return this.service.single(email, options, terms);
    });
  }
}
