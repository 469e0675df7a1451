import { IDEMPOTENCY_KEY, REPLAY_HEADERS, VERIFY_HEADERS } from '../billing/billing.openapi.js';
import {
  closedObject,
  count,
  moment,
  nullable,
  oneOf,
  ref,
  text,
  type Schema,
} from '../platform/openapi/json-schema.js';
import type { ApiPart, Operation, Parameter } from '../platform/openapi/operation.js';
import { queryParameters, requestSchema } from '../platform/openapi/request-schema.js';
import { sandboxBatch } from '../verify/sandbox/sandbox.js';
import { EMAILS } from '../verify/verify.openapi.js';
import { csvHeader, csvRow } from './job-csv.js';
import type { JobStatus } from './job.js';
import type { JobHead, JobList } from './job.response.js';
import { ListJobsRequest } from './list-jobs.request.js';
import { ReadJobRequest } from './read-job.request.js';
import { SubmitJobRequest } from './submit-job.request.js';

const STATUSES: readonly JobStatus[] = ['processing', 'completed'];

const HEAD_FIELDS = {
  id: text('UUID.', { format: 'uuid' }),
  status: oneOf(STATUSES, 'Whether the results are there.'),
  total: count('Addresses submitted.', { minimum: 1, maximum: 10_000 }),
  created_at: moment('When it was submitted.'),
  expires_at: moment('Seven days later: then it is gone.'),
  progress: closedObject('How far it is.', {
    total: count('Addresses.'),
    done: count('Those whose outcome is final.'),
  }),
} satisfies Record<keyof JobHead, Schema>;

const LIST_FIELDS = {
  jobs: { type: 'array', items: ref('JobSummary'), maxItems: 100, description: 'Newest first.' },
  next_cursor: nullable(text('`cursor` of the next page; null: this is the last.')),
} satisfies Record<keyof JobList, Schema>;

const ADDRESSES = ['valid@example.com', 'invalid@example.com', 'no address'];
const { results: ENTRIES } = sandboxBatch(ADDRESSES, 'standard').body as { readonly results: readonly unknown[] };
const HEAD: JobHead = {
  id: '01a22072-f122-77d4-b8c0-d09d74dc5f00',
  status: 'processing',
  total: 3,
  created_at: '2026-11-28T04:38:53.471Z',
  expires_at: '2026-12-05T04:38:53.471Z',
  progress: { total: 3, done: 1 },
};
const COMPLETED = { ...HEAD, status: 'completed', progress: { total: 3, done: 3 }, results: ENTRIES };

const ID: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the job.',
  schema: { type: 'string', format: 'uuid' },
};
const common = { tag: 'Jobs', access: 'key', headers: VERIFY_HEADERS } as const;

const OPERATIONS: readonly Operation[] = [
  {
    ...common,
    method: 'post',
    path: '/v1/verify/jobs',
    id: 'submitJob',
    summary: 'Submit up to 10,000 addresses for the full check',
    description:
      'Stored and paid for as a whole when this answers. Send an `Idempotency-Key`, and a submit whose answer you did not get may be repeated.',
    parameters: [IDEMPOTENCY_KEY],
    body: {
      required: true,
      description: 'At most 8 MiB. Unknown fields are ignored.',
      content: {
        'application/json': {
          schema: ref('SubmitJobRequest'),
          examples: { three: { summary: 'Three addresses', value: { emails: ADDRESSES } } },
        },
      },
    },
    answers: {
      202: {
        description: 'The job.',
        headers: ['Location', 'Retry-After', ...REPLAY_HEADERS],
        content: {
          'application/json': {
            schema: ref('Job'),
            examples: { processing: { summary: 'Just submitted', value: HEAD } },
          },
        },
      },
    },
    errors: ['insufficient_credits', 'idempotency_conflict', 'quota_exceeded'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/verify/jobs',
    id: 'listJobs',
    summary: 'Jobs of the account, newest first, without results',
    description: 'Free. Jobs of live and of test keys do not see each other.',
    parameters: queryParameters(ListJobsRequest, {
      cursor: { description: '`next_cursor` of the page before.', format: 'uuid' },
      limit: { description: 'Jobs on a page.', default: 20 },
    }),
    answers: {
      200: {
        description: 'A page of jobs.',
        content: {
          'application/json': {
            schema: ref('JobList'),
            examples: { one: { summary: 'The only page', value: { jobs: [HEAD], next_cursor: null } } },
          },
        },
      },
    },
    errors: ['validation_failed'],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/verify/jobs/{id}',
    id: 'getJob',
    summary: 'How far a job is and, once it is completed, its results',
    description:
      'Free. `Retry-After` comes while it is under way. The answer is streamed: if the connection breaks before its end, read it again. With `Accept: text/csv` a completed job is a CSV file; one under way is JSON all the same.',
    parameters: [
      ID,
      ...queryParameters(ReadJobRequest, {
        offset: { description: 'Position of the first result.', default: 0 },
        limit: { description: 'At most so many results.', default: 10_000 },
      }),
    ],
    answers: {
      200: {
        description: 'The job.',
        headers: ['Retry-After', 'Content-Disposition'],
        content: {
          'application/json': {
            schema: ref('Job'),
            examples: {
              completed: { summary: 'Completed', value: COMPLETED },
              processing: { summary: 'Under way', value: HEAD },
            },
          },
          'text/csv': {
            schema: { type: 'string', description: 'RFC 4180, a header line, a line for each entry.' },
            examples: {
              completed: {
                summary: 'Completed',
                value: csvHeader() + ENTRIES.map((entry) => csvRow(JSON.stringify(entry))).join(''),
              },
            },
          },
        },
      },
    },
    errors: ['not_found', 'validation_failed', 'quota_exceeded'],
  },
  {
    ...common,
    method: 'delete',
    path: '/v1/verify/jobs/{id}',
    id: 'deleteJob',
    summary: 'Remove a completed job before its time',
    description: 'Free.',
    parameters: [ID],
    answers: { 204: { description: 'It is gone.' } },
    errors: ['not_found', 'job_processing'],
  },
];

export const JOBS_PART: ApiPart = {
  operations: OPERATIONS,
  schemas: {
    SubmitJobRequest: requestSchema(
      SubmitJobRequest,
      { emails: EMAILS, mode: { description: '`standard` (null means it) or `enhanced`, for all of them.' } },
      'Addresses.',
    ),
    Job: {
      ...closedObject('A job. `results` is left out until it is completed.', {
        ...HEAD_FIELDS,
        results: {
          type: 'array',
          items: ref('Entry'),
          maxItems: 10_000,
          description: 'An entry for each address, in the order sent. Left out while `status` is `processing`.',
        },
      }),
      required: Object.keys(HEAD_FIELDS),
    },
    JobSummary: closedObject('A job without its results.', HEAD_FIELDS),
    JobList: closedObject('A page of jobs.', LIST_FIELDS),
  },
  headers: {
    Location: { description: 'Where the job is to be read.', schema: { type: 'string' }, required: true },
    'Content-Disposition': { description: 'Of CSV: a name for the file.', schema: { type: 'string' } },
  },
};
