import { ERROR_CODES, type ErrorCode } from '../errors/error-code.js';
import { ERROR_STATUS } from '../http/error-status.js';
import { closedObject, oneOf, ref, text, type Schema } from './json-schema.js';
import type { Content } from './operation.js';

/** When a code is answered, and a message it comes with. */
const CODES: Readonly<Record<ErrorCode, readonly [when: string, message: string]>> = {
  invalid_request: ['The body is not JSON, or the request is not well-formed.', 'The body is not JSON.'],
  unauthorized: [
    'The key is missing, mistyped, unknown, expired or revoked.',
    'The X-API-Key header is missing or holds no valid key.',
  ],
  insufficient_credits: [
    'The balance is too low; `X-Credits-Required` says by how much.',
    'The balance is too low by 3.',
  ],
  not_found: ['There is no such path, or no such job of this account and kind of key.', 'There is no such job.'],
  method_not_allowed: ['The path does not take this method; `Allow` says which it takes.', 'This path takes POST.'],
  idempotency_conflict: [
    'The `Idempotency-Key` was used with another body, or its first call is still running (then with `Retry-After`).',
    'This Idempotency-Key was sent before with another body.',
  ],
  job_processing: ['The job is still under way.', 'The job is still under way.'],
  payload_too_large: ['The body is too large.', 'The body is larger than this endpoint takes.'],
  unsupported_media_type: [
    'The body is not `application/json`, or has a `Content-Encoding`.',
    'The body must be sent as application/json.',
  ],
  validation_failed: [
    'A field is missing, of the wrong type, or out of range; the message names every such field, at most ten, and its rule.',
    'emails must have at most 100 entries',
  ],
  rate_limit_exceeded: [
    'The key has no request left, or unknown keys keep coming from this address.',
    'This key has made too many requests; wait as long as Retry-After says.',
  ],
  quota_exceeded: [
    'A bound of the plan is reached, or too much of the account is on its way at once; the message says which.',
    'The plan keeps at most 20 jobs; delete completed ones, or wait until they expire.',
  ],
  internal_error: ['A fault of the service.', 'Something went wrong on our side.'],
  verify_unavailable: [
    'A failure of the service kept the check from a verdict; nothing was charged. Retry.',
    'The verification could not be completed; retry.',
  ],
  service_unavailable: ['A part of the service is down. Retry.', 'A part of the service is down; retry.'],
};

const HEADERS: Partial<Record<ErrorCode, string>> = {
  insufficient_credits: 'X-Credits-Required',
  method_not_allowed: 'Allow',
  idempotency_conflict: 'Retry-After',
  rate_limit_exceeded: 'Retry-After',
  quota_exceeded: 'Retry-After',
  verify_unavailable: 'Retry-After',
  service_unavailable: 'Retry-After',
};

/** The body of every answer that is not a success. */
export const ERROR_SCHEMA: Schema = closedObject('The body of every answer that is not a success.', {
  error: closedObject('What went wrong.', {
    code: oneOf(ERROR_CODES, 'Stable: branch on it.'),
    message: text('For people. Names fields and rules; its wording may change.'),
  }),
});

/** An error answer as the document has it, before headers that all answers have. */
export interface ErrorAnswer {
  readonly description: string;
  readonly headers: readonly string[];
  readonly content: Content;
}

/** Answers by status. The names of the examples of each are the codes it may carry. */
export function errorAnswers(codes: Iterable<ErrorCode>): Map<number, ErrorAnswer> {
  const byStatus = new Map<number, ErrorCode[]>();
  const asked = new Set(codes);
  for (const code of ERROR_CODES) {
    if (!asked.has(code)) continue;
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return new Map(sorted.map(([status, together]) => [status, errorAnswer(together)]));
}

function errorAnswer(codes: readonly ErrorCode[]): ErrorAnswer {
  const examples = codes.map((code) => {
    const [when, message] = CODES[code];
    return [code, { summary: when, value: { error: { code, message } } }] as const;
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${CODES[code][0]}`).join('\n\n'),
    headers: [...new Set(codes.flatMap((code) => HEADERS[code] ?? []))],
    content: { 'application/json': { schema: ref('Error'), examples: Object.fromEntries(examples) } },
  };
}

/** What is answered before there is a request, by name; then the connection is closed. */
export const CONNECTION_ANSWERS: readonly {
  readonly name: string;
  readonly status: number;
  readonly answer: ErrorAnswer;
}[] = [
  connectionAnswer('RequestTimeout', 408, 'The request took too long to arrive.'),
  connectionAnswer('HeadersTooLarge', 431, 'Path and headers are larger than 16 KiB.'),
];

function connectionAnswer(name: string, status: number, message: string) {
  const example = { summary: message, value: { error: { code: 'invalid_request', message } } };
  return {
    name,
    status,
    answer: {
      description: `\`invalid_request\`: ${message} The connection is closed.`,
      headers: [],
      content: { 'application/json': { schema: ref('Error'), examples: { invalid_request: example } } },
    },
  };
}
