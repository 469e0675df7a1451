import { Body, Controller, Delete, Get, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { callerOf } from '../auth/caller.js';
import { ApiMetered, IDEMPOTENCY_KEY } from '../billing/billing-headers.js';
import { creditHoldOf } from '../billing/metering/metered-call.js';
import { Metered } from '../billing/metering/metered.decorator.js';
import type { StoredMeteredResponse } from '../billing/metering/stored-metered-response.js';
import { ApiAnswer, ApiErrors, ApiOtherBodies, headersOf } from '../platform/openapi/api-answers.js';
import { jobCsv, jobJson } from './job-text.js';
import { CsvBody } from './csv-body.js';
import { ApiCsvQuery, CSV_BODY, CSV_QUERY_FIELDS as csvQueryFields } from './submit-csv.request.js';
import { retryAfterSeconds, toJobHead, toJobSummary } from './job-head.js';
import { JobList, JobResponse, type JobHead } from './job.response.js';
import { JOB_FILES, JOB_LISTS, JOBS, SUBMIT_FILES, SUBMIT_REQUESTS, SUBMITTED } from './jobs.examples.js';
import { JobsService } from './jobs.service.js';
import { ListJobsRequest } from './list-jobs.request.js';
import { ReadJobRequest } from './read-job.request.js';
import { ResultStreams } from './result-streams.js';
import { SUBMIT_BODY_LIMIT, SUBMIT_BODY_VALUES, SubmitJobRequest } from './submit-job.request.js';
import { wantsCsv } from './wants-csv.js';
import { pathId } from '../platform/ids/path-id.js';

const csvBody = (query: Readonly<Record<string, unknown>>): CsvBody => new CsvBody(query);
const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
const ID = {
  name: 'id',
  description: 'The id of the job.',
  schema: { type: 'string', format: 'uuid' },
} as const;

@Controller('v1/verify/jobs')
@UseGuards(ApiKeyGuard)
@ApiTags('Jobs')
@ApiMetered()
export class JobsController {
  constructor(
    private readonly service: JobsService,
    private readonly streams: ResultStreams,
  ) {}

  /** Submits up to 10,000 addresses. They are paid and stored before this responds. */
  @Post()
  @Metered('job')
  @RouteConfig({
    billing: 'verify',
    bodyLimit: SUBMIT_BODY_LIMIT,
    maxBodyValues: SUBMIT_BODY_VALUES,
    csvBody,
    csvQueryFields,
  })
  @ApiOperation({
    operationId: 'submitJob',
    summary: 'Submit up to 10,000 addresses for the full check',
    description:
      'Stored and paid for as a whole when this answers. Send an `Idempotency-Key`, and a submit whose answer you did not get may be repeated.',
  })
  @ApiHeader(IDEMPOTENCY_KEY)
  @ApiBody({
    type: SubmitJobRequest,
    description:
      'At most 8 MiB. Unknown fields are ignored. CSV takes its settings from the query; with JSON the query is ignored.',
    examples: SUBMIT_REQUESTS,
  })
  @ApiOtherBodies({ 'text/csv': { schema: CSV_BODY, examples: SUBMIT_FILES } })
  @ApiCsvQuery()
  @ApiAnswer(202, {
    type: JobResponse,
    description: 'The job.',
    headers: headersOf('Location', 'Retry-After', 'Idempotency-Replayed'),
    examples: SUBMITTED,
  })
  @ApiErrors('insufficient_credits', 'idempotency_conflict', 'quota_exceeded')
  submit(@Req() request: FastifyRequest, @Body() body: SubmitJobRequest): Promise<StoredMeteredResponse> {
    return this.service.submit(body, callerOf(request)!, creditHoldOf(request), request.id);
  }

  /** Lists the account's jobs, newest first, without their results. Free. */
  @Get()
  @RouteConfig({ billing: 'verify' })
  @ApiOperation({
    operationId: 'listJobs',
    summary: 'Jobs of the account, newest first, without results',
    description: 'Free. Jobs of live and of test keys do not see each other.',
  })
  @ApiOkResponse({ type: JobList, description: 'A page of jobs.', examples: JOB_LISTS })
  @ApiErrors('validation_failed')
  async list(@Req() request: FastifyRequest, @Query() query: ListJobsRequest): Promise<JobList> {
    const { jobs, next } = await this.service.list(callerOf(request)!, query);
    return { jobs: jobs.map(toJobSummary), next_cursor: next };
  }

  /** Reads a job's progress and, once it is completed, its results in the order of its addresses. Free. */
  @Get(':id')
  @RouteConfig({ billing: 'verify' })
  @ApiOperation({
    operationId: 'getJob',
    summary: 'How far a job is and, once it is completed, its results',
    description:
      'Free. `Retry-After` comes while it is under way. The answer is streamed: if the connection breaks before its end, read it again. With `Accept: text/csv` a completed job is a CSV file; one under way is JSON all the same.',
  })
  @ApiParam(ID)
  @ApiExtraModels(JobResponse)
  @ApiOkResponse({
    description: 'The job.',
    headers: headersOf('Retry-After', 'Content-Disposition'),
    content: {
      'application/json': { schema: { $ref: getSchemaPath('Job') }, examples: JOBS },
      'text/csv': {
        schema: { type: 'string', description: 'RFC 4180, a header line, a line for each entry.' },
        examples: JOB_FILES,
      },
    },
  })
  @ApiErrors('not_found', 'validation_failed', 'quota_exceeded')
  async read(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param('id') given: string,
    @Query() query: ReadJobRequest,
  ): Promise<JobHead | Readable> {
    const id = pathId(given, 'job');
    const caller = callerOf(request)!;
    const { job, open } = await this.service.read(id, caller, query);
    if (open === null) {
      // Applies to CSV requests too: a CSV without rows would look like a result.
      void reply.header('Retry-After', retryAfterSeconds(job));
      return toJobHead(job);
    }
    const asCsv = wantsCsv(request.headers.accept);
    const stream = request.method === 'HEAD' ? null : this.streams.begin(caller.accountId, reply.raw);
    const pages = stream && (await open((characters) => stream.hold(characters)));
    if (asCsv) void reply.header('Content-Disposition', `attachment; filename="job-${id}.csv"`);
    void reply.type(asCsv ? CSV_TYPE : JSON_TYPE);
    // HEAD sends only the headers.
    if (pages === null) return Readable.from([]);
    return this.streams.send(asCsv ? jobCsv(pages) : jobJson(toJobHead(job), pages), request, 'a job response');
  }

  /** Deletes a completed job before it expires. */
  @Delete(':id')
  @RouteConfig({ billing: 'verify' })
  @ApiOperation({
    operationId: 'deleteJob',
    summary: 'Remove a completed job before its time',
    description: 'Free.',
  })
  @ApiParam(ID)
  @ApiAnswer(204, { description: 'It is gone.' })
  @ApiErrors('not_found', 'job_processing')
  async delete(@Req() request: FastifyRequest, @Param('id') given: string): Promise<void> {
    await this.service.delete(pathId(given, 'job'), callerOf(request)!);
  }
}
