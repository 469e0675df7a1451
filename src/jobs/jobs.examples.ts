import { sandboxBatch } from '../verify/sandbox/sandbox.js';
import { csvHeader, csvRow } from './job-csv.js';
import type { JobHead } from './job.response.js';

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

/** Request and response examples of the OpenAPI document. Results are those of the sandbox. */
export const SUBMIT_REQUESTS = { three: { summary: 'Three addresses', value: { emails: ADDRESSES } } };
export const SUBMIT_FILES = {
  three: { summary: 'Three addresses', value: `name,email\n${ADDRESSES.map((email) => `Ada,${email}\n`).join('')}` },
};
export const SUBMITTED = { processing: { summary: 'Just submitted', value: HEAD } };
export const JOB_LISTS = {
  two: {
    summary: 'The only page',
    value: {
      jobs: [
        { ...HEAD, name: 'Newsletter, spring', counts: null },
        {
          ...HEAD,
          id: '01a22070-61d4-7c55-a6ad-5f0a2b0f7a11',
          status: 'completed',
          progress: { total: 3, done: 3 },
          name: null,
          counts: { valid: 1, invalid: 1, catch_all: 0, disposable: 0, role: 0, unknown: 0, error: 1 },
        },
      ],
      next_cursor: null,
    },
  },
};
export const JOBS = {
  completed: { summary: 'Completed', value: COMPLETED },
  processing: { summary: 'Under way', value: HEAD },
};
export const JOB_FILES = {
  completed: {
    summary: 'Completed',
    value: csvHeader() + ENTRIES.map((entry) => csvRow(JSON.stringify(entry))).join(''),
  },
};
