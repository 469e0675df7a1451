import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf, type Caller } from '../auth/caller.js';
import { ApiMetered, IDEMPOTENCY_KEY } from '../billing/billing-headers.js';
import { readFunds } from '../billing/holds/request-funds.js';
import { creditHoldOf } from '../billing/metering/metered-call.js';
import { Metered } from '../billing/metering/metered.decorator.js';
import type { MeteredKind } from '../billing/metering/metered-kind.js';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import { UsageCounter } from '../billing/usage/usage-counter.js';
import { AppConfig } from '../platform/config/app-config.js';
import { ApiAnswer, ApiErrors, headersOf } from '../platform/openapi/api-answers.js';
import { BatchService } from './batch.service.js';
import { countUsage } from './count-usage.js';
import { RemoteDecisions } from './remote-decisions.js';
import { sandboxBatch, sandboxSingle } from './sandbox/sandbox.js';
import { VerdictMetrics } from './verdict-metrics.js';
import { BATCH_REQUESTS, BATCH_RESULTS, SINGLE_REQUESTS, SINGLE_RESULTS } from './verify.examples.js';
import { VerifyBatchRequest } from './verify-batch.request.js';
import { BatchResults } from './verify-batch.response.js';
import { VerifyResult } from './verify.response.js';
import { VerifySingleRequest } from './verify-single.request.js';
import { VerifyService } from './verify.service.js';

const ANSWER_HEADERS = headersOf('Retry-After', 'Idempotency-Replayed');
const BODY = 'At most 256 KiB. Unknown fields are ignored; null equals leaving a field out.';

/**
 * Verifies addresses while the caller waits. A handler returns its result and price; `MeteringInterceptor` charges for
 * it. A sandbox key gets fixtures: no mail host is asked, and nothing is stored.
 */
@Controller('v1/verify')
@UseGuards(ApiKeyGuard)
@ApiTags('Verify')
@ApiMetered()
export class VerifyController {
  constructor(
    private readonly singles: VerifyService,
    private readonly batches: BatchService,
    private readonly decisions: RemoteDecisions,
    private readonly config: AppConfig,
    private readonly verdicts: VerdictMetrics,
    private readonly usage: UsageCounter,
  ) {}

  /** Verifies one address, waiting for its mail host as long as `VERIFY_DEADLINE_MS` or a guard's deadline allows. */
  @Post('single')
  @Metered('single')
  @RouteConfig({ billing: 'verify' })
  @ApiOperation({
    operationId: 'verifySingle',
    summary: 'Verify one address while you wait',
    description:
      'Quick 0 credits, standard 1, enhanced 3 (1 where the host was known to accept everybody). `Retry-After` comes with `verification_pending`.',
  })
  @ApiHeader({
    name: 'X-Guard-Integration',
    required: false,
    description:
      '`<name>/<version>`: a guard in a form asks, and is answered within 600 ms. Counts against the monthly quota.',
    schema: { type: 'string', examples: ['shop-form/1.2'] },
  })
  @ApiHeader(IDEMPOTENCY_KEY)
  @ApiBody({ type: VerifySingleRequest, description: BODY, examples: SINGLE_REQUESTS })
  @ApiAnswer(200, { type: VerifyResult, description: 'The result.', headers: ANSWER_HEADERS, examples: SINGLE_RESULTS })
  @ApiErrors('insufficient_credits', 'idempotency_conflict', 'verify_unavailable')
  async single(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) { elapsedTime: ageMs }: FastifyReply,
    @Body() { email, mode, async, max_age: maxAgeSeconds }: VerifySingleRequest,
  ): Promise<MeteredResponse> {
    const caller = callerOf(request)!;
    const { accountId: account } = caller;
    if (caller.mode === 'test') return this.counted(caller, 'single', sandboxSingle(email, mode));
    if (mode === 'quick') readAhead(request);
    const { deadlineMs } = this.config.verify;
    const options = { account, mode, async, maxAgeSeconds, deadlineMs, requestId: request.id };
    const response = this.decisions.isOne(request)
      ? await this.decisions.decide(request, { email, options, ageMs })
      : await this.singles.single(email, { ...options, pendingAfterMs: null }, creditHoldOf(request));
    return this.counted(caller, 'single', response);
  }

  /** Verifies up to 100 addresses without asking a mail host: leaves the probes that are needed to the worker. */
  @Post('batch')
  @Metered('batch')
  @RouteConfig({ billing: 'verify' })
  @ApiOperation({
    operationId: 'verifyBatch',
    summary: 'Verify up to 100 addresses at the speed of cache and DNS',
    description:
      'No mail host is asked while you wait: what only one can settle is `verification_pending`. Repeat the call after `Retry-After`.',
  })
  @ApiHeader(IDEMPOTENCY_KEY)
  @ApiBody({ type: VerifyBatchRequest, description: BODY, examples: BATCH_REQUESTS })
  @ApiAnswer(200, {
    type: BatchResults,
    description: 'An entry for each address, in the order sent.',
    headers: ANSWER_HEADERS,
    examples: BATCH_RESULTS,
  })
  @ApiErrors('insufficient_credits', 'idempotency_conflict', 'verify_unavailable')
  async batch(
    @Req() request: FastifyRequest,
    @Body() { emails, mode, max_age: maxAgeSeconds }: VerifyBatchRequest,
  ): Promise<MeteredResponse> {
    const caller = callerOf(request)!;
    const { accountId: account } = caller;
    if (caller.mode === 'test') return this.counted(caller, 'batch', sandboxBatch(emails, mode));
    if (mode === 'quick') readAhead(request);
    const { deadlineMs } = this.config.verify;
    const options = { account, mode, maxAgeSeconds, deadlineMs, requestId: request.id };
    return this.counted(caller, 'batch', await this.batches.batch(emails, options, creditHoldOf(request)));
  }

  private counted(caller: Caller, endpoint: MeteredKind, response: MeteredResponse): MeteredResponse {
    const { body } = response;
    const isSandbox = caller.mode === 'test';
    this.verdicts.count(isSandbox ? 'sandbox' : 'live', body);
    if (!isSandbox) countUsage(this.usage, caller, endpoint, body);
    return response;
  }
}

/** Reads the balance early, since a free call has no charge that would report it. */
function readAhead(request: FastifyRequest): void {
  void readFunds(request);
}
