import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { callerOf } from '../../auth/caller.js';
import { creditHoldOf } from '../../billing/metering/metered-call.js';
import { Metered } from '../../billing/metering/metered.decorator.js';
import type { MeteredResponse } from '../../billing/metering/metered-response.js';
import type { StoredMeteredResponse } from '../../billing/metering/stored-metered-response.js';
import { jobJson } from '../../jobs/job-text.js';
import { ResultStreams } from '../../jobs/result-streams.js';
import { SUBMIT_BODY_LIMIT, SUBMIT_BODY_VALUES } from '../../jobs/submit-job.request.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { noSuch, pathId } from '../../platform/ids/path-id.js';
import { AccountRole } from '../session/access.js';
import { actorOf, consoleCallerOf } from '../session/console-caller.js';
import { ShowCharge } from '../show-charge.interceptor.js';
import { ListResultsService } from './list-results.service.js';
import { ListWatch } from './list-watch.js';
import { CreateListRequest, ListPartRequest, ListResultsRequest } from './lists.request.js';
import { PageRequest } from '../page.request.js';
import {
  ListEntryError,
  ListEntryResult,
  ListPage,
  ListResponse,
  ListResults,
  ListSummary,
  SubmittedPartAnswer,
} from './lists.response.js';
import { ListsService } from './lists.service.js';
import { AccountId, By } from '../session/console-params.js';

const EVENTS = { 'text/event-stream': { schema: { type: 'string' } } };
const BODY = { bodyLimit: SUBMIT_BODY_LIMIT, maxBodyValues: SUBMIT_BODY_VALUES };

@Controller('console/api/accounts/:account/lists')
@ApiTags('Lists')
@UseInterceptors(ShowCharge)
export class ListsController {
  constructor(
    private readonly service: ListsService,
    private readonly results: ListResultsService,
    private readonly watch: ListWatch,
    private readonly streams: ResultStreams,
  ) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listLists', summary: 'Lists of the account, newest first' })
  @ApiOkResponse({ type: ListPage })
  list(@AccountId() account: string, @Query() query: PageRequest): Promise<ListPage> {
    return this.service.list(account, query);
  }

  @Post()
  @AccountRole('member')
  @ApiOperation({ operationId: 'createList', summary: 'Begin a list, whose parts are submitted next' })
  @ApiAnswer(201, { type: ListResponse })
  @ApiErrors('quota_exceeded')
  create(@Req() request: FastifyRequest, @Body() body: CreateListRequest): Promise<ListResponse> {
    const { account, user } = consoleCallerOf(request);
    return this.service.create(account.id, body, user.id, actorOf(request));
  }

  @Put(':id/parts/:part')
  @Metered('job')
  @AccountRole('member', { billing: 'verify', ...BODY })
  @ApiOperation({
    operationId: 'submitListPart',
    summary: 'Submit a part of a list',
    description:
      'Stored and paid for when this answers. The same part may be sent again: it is stored and charged once.',
  })
  @ApiAnswer(200, { type: SubmittedPartAnswer })
  @ApiErrors('insufficient_credits', 'not_found', 'conflict', 'quota_exceeded')
  submitPart(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Param('part') part: string,
    @Body() { emails }: ListPartRequest,
  ): Promise<MeteredResponse | StoredMeteredResponse> {
    const wanted = { listId: pathId(id, 'list'), number: partNumber(part), emails };
    return this.service.submitPart(wanted, callerOf(request)!, creditHoldOf(request), request.id);
  }

  @Get(':id')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getList', summary: 'How far a list is' })
  @ApiOkResponse({ type: ListResponse })
  read(@AccountId() account: string, @Param('id') id: string): Promise<ListResponse> {
    return this.service.read(account, pathId(id, 'list'));
  }

  @Get(':id/events')
  @AccountRole('viewer')
  @ApiOperation({
    operationId: 'watchList',
    summary: 'The progress of a list as server-sent events',
    description:
      '`progress` has the list as data; `end` comes when it is completed. Connections end after a few minutes.',
  })
  @ApiOkResponse({ description: 'Events.', content: EVENTS })
  @ApiErrors('not_found', 'quota_exceeded')
  async events(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
  ): Promise<Readable> {
    const { account } = consoleCallerOf(request);
    const listId = pathId(id, 'list');
    await this.service.find(account.id, listId);
    void reply.type('text/event-stream; charset=utf-8').header('X-Accel-Buffering', 'no');
    if (request.method === 'HEAD') return Readable.from([]);
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const events = this.watch.open(account.id, () => this.service.read(account.id, listId), gone.signal);
    return Readable.from(events, { highWaterMark: 1 });
  }

  @Get(':id/summary')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getListSummary', summary: 'What the results of a completed list come to' })
  @ApiOkResponse({ type: ListSummary })
  @ApiErrors('not_found', 'job_processing')
  async summary(@AccountId() account: string, @Param('id') id: string): Promise<ListSummary> {
    return this.results.summary(await this.service.findCompleted(account, pathId(id, 'list')));
  }

  @Get(':id/results')
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'getListResults', summary: 'Results of a completed list, in its order' })
  @ApiExtraModels(ListEntryResult, ListEntryError)
  @ApiOkResponse({ type: ListResults })
  @ApiErrors('not_found', 'job_processing', 'quota_exceeded')
  async readResults(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') id: string,
    @Query() { offset, limit }: ListResultsRequest,
  ): Promise<Readable> {
    const { account } = consoleCallerOf(request);
    const list = await this.service.findCompleted(account.id, pathId(id, 'list'));
    void reply.type('application/json; charset=utf-8');
    if (request.method === 'HEAD') return Readable.from([]);
    const held = this.streams.begin(account.id, reply.raw);
    const pages = await this.results.open(list, offset, limit, (characters) => held.hold(characters));
    const total = list.jobs.reduce((sum, job) => sum + job.total, 0);
    return this.streams.send(jobJson({ total, offset }, pages), request, 'a list of results');
  }

  @Delete(':id')
  @AccountRole('member')
  @ApiOperation({ operationId: 'deleteList', summary: 'Remove a list and its results before their time' })
  @ApiAnswer(204, { description: 'It is gone.' })
  @ApiErrors('not_found', 'job_processing')
  async delete(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<void> {
    await this.service.delete(account, pathId(id, 'list'), actor);
  }
}

function partNumber(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw noSuch('part');
  return Number(text);
}
