import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { ResultStreams } from '../../jobs/result-streams.js';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import { AccountRole } from '../session/access.js';
import { consoleCallerOf } from '../session/console-caller.js';
import { StatementFilterRequest, StatementRequest } from './statement.request.js';
import { Allowance, Statement } from './statement.response.js';
import { StatementService } from './statement.service.js';
import { AccountId } from '../session/console-params.js';

@Controller('console/api/accounts/:account')
@ApiTags('Credits')
export class StatementController {
  constructor(
    private readonly service: StatementService,
    private readonly streams: ResultStreams,
  ) {}

  @Get('ledger')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getStatement', summary: 'The ledger as a statement, newest first' })
  @ApiOkResponse({ type: Statement })
  page(@AccountId() account: string, @Query() query: StatementRequest): Promise<Statement> {
    return this.service.page(account, query);
  }

  @Get('ledger.csv')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getStatementFile', summary: 'The same as CSV, all of it' })
  @ApiOkResponse({
    description: 'RFC 4180, with a header line.',
    content: { 'text/csv': { schema: { type: 'string' } } },
  })
  @ApiErrors('quota_exceeded')
  csv(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() filter: StatementFilterRequest,
  ): Readable {
    const { id } = consoleCallerOf(request).account;
    if (request.method !== 'HEAD') this.streams.begin(id, reply.raw);
    void reply.header('Content-Disposition', 'attachment; filename="ledger.csv"');
    void reply.type('text/csv; charset=utf-8; header=present');
    // HEAD sends only the headers.
    if (request.method === 'HEAD') return Readable.from([]);
    return this.streams.send(this.service.csv(id, filter), request, 'a statement');
  }

  @Get('allowance')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getAllowance', summary: 'Free verifies and credits used, month by month' })
  @ApiOkResponse({ type: Allowance })
  allowance(@Req() request: FastifyRequest): Promise<Allowance> {
    const { account, plan } = consoleCallerOf(request);
    return this.service.allowance(account.id, plan);
  }
}
