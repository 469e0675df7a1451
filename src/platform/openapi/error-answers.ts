import { getSchemaPath, type ContentObject, type ResponseObject } from '@nestjs/swagger';
import { CONSOLE_ERROR_CODES, ERROR_CODES, type ErrorCode } from '../errors/error-code.js';
import { ERROR_STATUS } from '../http/error-status.js';
import { groupBy } from '../collections/group-by.js';
import { headersOf } from './api-answers.js';
import { ErrorResponse } from './error.response.js';

/** When a code is returned, and an example message. */
const CODES: Readonly<Record<ErrorCode, readonly [when: string, message: string]>> = {
  invalid_request: ['The body is not JSON, or the request is not well-formed.', 'The body is not JSON: see octet 19.'],
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
  payload_too_large: ['The body is too large.', 'The body is larger than 256 KiB.'],
  unsupported_media_type: [
    'The body is of no media type that the call takes, or has a `Content-Encoding`.',
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
  sign_in_failed: [
    'The email, the password or the code is wrong; the answer does not say which.',
    'The sign-in failed: check the email and the password.',
  ],
  forbidden: [
    "The user's role does not allow it, or the request comes from another site.",
    'This needs the role developer or above.',
  ],
  conflict: ['It is not possible in the present state; the message says why.', 'This user is a member already.'],
  last_owner: ['An account keeps at least one owner.', 'The last owner of an account stays its owner.'],
  too_many_attempts: [
    'Too many sign-ins were tried, or too many are under way; `Retry-After` says when to try again.',
    'Too many sign-ins were tried; wait as long as Retry-After says.',
  ],
};

const HEADERS: Partial<Record<ErrorCode, string>> = {
  insufficient_credits: 'X-Credits-Required',
  method_not_allowed: 'Allow',
  idempotency_conflict: 'Retry-After',
  rate_limit_exceeded: 'Retry-After',
  quota_exceeded: 'Retry-After',
  too_many_attempts: 'Retry-After',
  verify_unavailable: 'Retry-After',
  service_unavailable: 'Retry-After',
};

/** Error answers by status. The names of their examples are the possible codes. */
export function errorAnswers(codes: Iterable<ErrorCode>): [status: number, answer: ResponseObject][] {
  const asked = new Set(codes);
  const known = [...ERROR_CODES, ...CONSOLE_ERROR_CODES].filter((code) => asked.has(code));
  const byStatus = groupBy(known, (code) => ERROR_STATUS[code]);
  return [...byStatus].sort(([a], [b]) => a - b).map(([status, together]) => [status, errorAnswer(together)]);
}

function errorAnswer(codes: readonly ErrorCode[]): ResponseObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${CODES[code][0]}`).join('\n\n'),
    headers: headersOf(...new Set(codes.flatMap((code) => HEADERS[code] ?? []))),
    content: errorContent(codes.map((code) => [code, ...CODES[code]])),
  };
}

/** An answer that is sent before a request was parsed; the connection is then closed. */
function connectionAnswer(message: string): ResponseObject {
  return {
    description: `\`invalid_request\`: ${message} The connection is closed.`,
    content: errorContent([['invalid_request', message, message]]),
  };
}

function errorContent(examples: readonly (readonly [code: ErrorCode, when: string, message: string])[]): ContentObject {
  return {
    'application/json': {
      schema: { $ref: getSchemaPath(ErrorResponse) },
      examples: Object.fromEntries(
        examples.map(([code, summary, message]) => [code, { summary, value: { error: { code, message } } }]),
      ),
    },
  };
}

/** Answers that all operations share, by their names in `components`. */
export const SHARED_ANSWERS: Readonly<Record<string, ResponseObject>> = {
  UnknownPath: errorAnswer(['not_found']),
  WrongMethod: errorAnswer(['method_not_allowed']),
  RequestTimeout: connectionAnswer('The request took too long to arrive.'),
  HeadersTooLarge: connectionAnswer('Path and headers are larger than 16 KiB.'),
};

/** Errors of the connection, for every operation. */
export const CONNECTION_ANSWERS = [
  [408, 'RequestTimeout'],
  [431, 'HeadersTooLarge'],
] as const;
