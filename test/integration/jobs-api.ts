import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DataSource } from 'typeorm';
import { joinResults, RESULTS_TOGETHER, rowOf } from '../../src/jobs/joined-results.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { expectDescribed } from '../support/openapi/expect-described.js';

export interface JobAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Of JSON; empty otherwise. */
  readonly body: Record<string, unknown>;
}

export interface JobAsked {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'HEAD';
  /** After `/v1/verify/jobs`. */
  readonly path?: string;
  /** As it is sent. */
  readonly payload?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks the jobs endpoints. */
export async function askJobs(app: NestFastifyApplication, key: string, asked: JobAsked = {}): Promise<JobAnswer> {
  const { method = 'GET', path = '', payload, headers = {} } = asked;
  const response = await app.inject({
    method,
    url: `/v1/verify/jobs${path}`,
    ...(payload === undefined ? {} : { payload }),
    headers: {
      host: 'api.test',
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      'x-api-key': key,
      ...headers,
    },
  });
  const text = response.body;
  const { headers: answered, statusCode: status } = response;
  expectDescribed({ method, url: `/v1/verify/jobs${path}`, status, headers: answered, body: text, key });
  const isJson = text.startsWith('{');
  return {
    status,
    headers: response.headers as Record<string, string>,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

export function submitJob(
  app: NestFastifyApplication,
  key: string,
  emails: readonly unknown[],
  more: { readonly mode?: unknown; readonly name?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<JobAnswer> {
  const { headers = {}, ...fields } = more;
  return askJobs(app, key, { method: 'POST', payload: JSON.stringify({ emails, ...fields }), headers });
}

export const addresses = (count: number, domain = 'company.example'): string[] =>
  Array.from({ length: count }, (_, i) => `user-${i}@${domain}`);

/** A verify result as it is kept, some of its fields for a test to change. */
export function resultOf(email: string, over: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    email,
    result: 'valid',
    deliverable: true,
    reason: 'mailbox_accepts',
    mx: true,
    mx_record: 'mx.company.example',
    disposable: false,
    role: false,
    catch_all: false,
    free_email: null,
    relay: false,
    relay_provider: null,
    parked: false,
    spam_trap: false,
    spam_trap_type: null,
    suggested_correction: null,
    smtp_diagnosis: null,
    score: 0.95,
    freshness: 'fresh',
    checked_at: '2026-11-28T10:00:00.000Z',
    domain: null,
    decision: { recommendation: 'allow', reasons: ['mailbox_accepts'] },
    degraded: false,
    ...over,
  };
}

/** Completes a job as the worker does: every entry without a result gets that of its address. */
export async function completeJob(
  dataSource: DataSource,
  jobId: string,
  resultFor: (email: string, position: number) => unknown = (email) => resultOf(email),
): Promise<void> {
  const id = idToBytes(jobId);
  const entries = await dataSource.query<{ position: number; sent: string }[]>(
    'SELECT position, sent FROM job_entries WHERE job_id = ? AND result IS NULL ORDER BY position',
    [id],
  );
  for (let position = 0; position <= (entries.at(-1)?.position ?? -1); position += RESULTS_TOGETHER) {
    const together = entries.filter((entry) => rowOf(entry.position) === position);
    const results = joinResults(
      together.map((entry) => ({ ...entry, result: JSON.stringify(resultFor(entry.sent, entry.position)) })),
    );
    await dataSource.query('INSERT INTO job_results (job_id, position, counts, results) VALUES (?, ?, ?, ?)', [
      id,
      position,
      JSON.stringify({ valid: together.length }),
      results,
    ]);
  }
  await dataSource.query(
    `UPDATE jobs SET status = 'completed', stage = 'done', done = total, completed_at = UTC_TIMESTAMP(3) WHERE id = ?`,
    [id],
  );
}

export interface RowCounts {
  readonly jobs: number;
  readonly entries: number;
  readonly results: number;
  readonly chunks: number;
}

export async function countRows(dataSource: DataSource): Promise<RowCounts> {
  const count = async (table: string): Promise<number> => {
    const [row] = await dataSource.query<{ rows: string }[]>(`SELECT COUNT(*) AS \`rows\` FROM ${table}`);
    return Number(row!.rows);
  };
  return {
    jobs: await count('jobs'),
    entries: await count('job_entries'),
    results: await count('job_results'),
    chunks: await count('job_chunks'),
  };
}
