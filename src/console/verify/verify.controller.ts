import { Body, Controller, Post, Req, UseInterceptors } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../auth/caller.js';
import { IDEMPOTENCY_KEY } from '../../billing/billing-headers.js';
import { creditHoldOf } from '../../billing/metering/metered-call.js';
import { Metered } from '../../billing/metering/metered.decorator.js';
import type { MeteredResponse } from '../../billing/metering/metered-response.js';
import { UsageCounter } from '../../billing/usage/usage-counter.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { ApiAnswer, ApiErrors, headersOf } from '../../platform/openapi/api-answers.js';
import { countUsage } from '../../verify/count-usage.js';
import { explainResult } from '../../verify/result-explanations.js';
import { VerdictMetrics } from '../../verify/verdict-metrics.js';
import type { VerifyResult } from '../../verify/verify.response.js';
import { VerifyService } from '../../verify/verify.service.js';
import { AccountRole } from '../session/access.js';
import { ShowCharge } from '../show-charge.interceptor.js';
import { VerifyRequest } from './verify.request.js';
import { VerifyAnswer, type ExplainedResult } from './verify.response.js';

/** One address, as a call of the account's hidden key. The worker asks its mail host. */
@Controller('console/api/accounts/:account/verify')
@ApiTags('Verify')
@UseInterceptors(ShowCharge)
export class ConsoleVerifyController {
  constructor(
    private readonly service: VerifyService,
    private readonly config: AppConfig,
    private readonly verdicts: VerdictMetrics,
    private readonly usage: UsageCounter,
  ) {}

  @Post()
  @Metered('single')
  @AccountRole('member', { billing: 'verify' })
  @ApiOperation({ operationId: 'verifyAddress', summary: 'Verify one address, explained in words' })
  @ApiHeader(IDEMPOTENCY_KEY)
  @ApiAnswer(200, { type: VerifyAnswer, headers: headersOf('Retry-After') })
  @ApiErrors('insufficient_credits', 'idempotency_conflict', 'verify_unavailable')
  async verify(@Req() request: FastifyRequest, @Body() { email, mode }: VerifyRequest): Promise<MeteredResponse> {
    const caller = callerOf(request)!;
    const { deadlineMs } = this.config.verify;
    const options = {
      account: caller.accountId,
      mode,
      async: false,
      maxAgeSeconds: null,
      deadlineMs,
      pendingAfterMs: null,
      requestId: request.id,
    };
    const response = await this.service.single(email, options, creditHoldOf(request));
    const result = response.body as VerifyResult;
    this.verdicts.count('live', result);
    countUsage(this.usage, caller, 'single', result);
    const body: ExplainedResult = { result, explanation: explainResult(result) };
    return { ...response, body };
  }
}
