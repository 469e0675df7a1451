import { Body, Controller, Header, HttpCode, Optional, Post, Req, Res, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { MeteredResponseService, type MeteredResponse } from '../billing/metering/metered-response.service.js';
import type { CreditHold } from '../billing/holds/credit-hold.js';
import { readFunds } from '../billing/holds/request-funds.js';
import { AppConfig } from '../platform/config/app-config.js';
import { BatchService } from './batch.service.js';
import { RemoteDecisions } from './remote-decisions.js';
import { sandboxBatch, sandboxSingle } from './sandbox/sandbox.js';
import { VerdictMetrics, type VerdictKind } from './verdict-metrics.js';
import { VerifyBatchRequest } from './verify-batch.request.js';
import { VerifySingleRequest } from './verify-single.request.js';
import { VerifyService } from './verify.service.js';

/** What answers a call, by the kind of its key. */
interface Work {
  readonly live: (hold: CreditHold) => Promise<MeteredResponse>;
  readonly sandbox: () => MeteredResponse;
}

const JSON_TYPE = 'application/json; charset=utf-8';

@Controller('v1/verify')
@UseGuards(ApiKeyGuard)
export class VerifyController {
  constructor(
    private readonly singles: VerifyService,
    private readonly batches: BatchService,
    private readonly decisions: RemoteDecisions,
    private readonly responses: MeteredResponseService,
    private readonly config: AppConfig,
    @Optional() private readonly verdicts?: VerdictMetrics,
  ) {}

  /** Verifies one address, waiting for its mail host as long as `VERIFY_DEADLINE_MS` allows, or a guard does. */
  @Post('single')
  @HttpCode(200)
  @Header('Content-Type', JSON_TYPE)
  @RouteConfig({ billing: 'verify' })
  single(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) { elapsedTime: ageMs }: FastifyReply,
    @Body() { email, mode, async, max_age: maxAgeSeconds }: VerifySingleRequest,
  ): Promise<string> {
    const { deadlineMs } = this.config.verify;
    if (mode === 'quick') readAhead(request);
    const account = callerOf(request)!.accountId;
    const options = { account, mode, async, maxAgeSeconds, deadlineMs, requestId: request.id };
    const deliver = (live: Work['live']): Promise<string> =>
      this.deliver(request, 'single', { live, sandbox: () => sandboxSingle(email, mode) });
    if (this.decisions.isOne(request)) return this.decisions.answer(request, { email, options, ageMs }, deliver);
    return deliver((hold) => this.singles.single(email, { ...options, pendingAfterMs: null }, hold));
  }

  /** Verifies up to 100 addresses without asking a mail host: what only that can settle is left to the worker. */
  @Post('batch')
  @HttpCode(200)
  @Header('Content-Type', JSON_TYPE)
  @RouteConfig({ billing: 'verify' })
  batch(
    @Req() request: FastifyRequest,
    @Body() { emails, mode, max_age: maxAgeSeconds }: VerifyBatchRequest,
  ): Promise<string> {
    if (mode === 'quick') readAhead(request);
    const { deadlineMs } = this.config.verify;
    const account = callerOf(request)!.accountId;
    const options = { account, mode, maxAgeSeconds, deadlineMs, requestId: request.id };
    return this.deliver(request, 'batch', {
      live: (hold) => this.batches.batch(emails, options, hold),
      sandbox: () => sandboxBatch(emails, mode),
    });
  }

  /** A sandbox key gets what it asks for from the fixtures alone: nobody is asked on its behalf, nothing is remembered. */
  private deliver(request: FastifyRequest, what: string, { live, sandbox }: Work): Promise<string> {
    const isSandbox = callerOf(request)?.mode === 'test';
    return this.responses.deliver(request, what, (hold) =>
      isSandbox ? this.counted('sandbox', sandbox()) : live(hold).then((response) => this.counted('live', response)),
    );
  }

  private counted(kind: VerdictKind, response: MeteredResponse): MeteredResponse {
    this.verdicts?.count(kind, response.body);
    return response;
  }
}

/** A free call has no charge that would say what is left: it is found out meanwhile. */
function readAhead(request: FastifyRequest): void {
  void readFunds(request);
}
