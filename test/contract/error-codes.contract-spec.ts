import { CONSOLE_ERROR_CODES, ERROR_CODES } from '../../src/platform/errors/error-code.js';
import { ERROR_STATUS } from '../../src/platform/http/error-status.js';

/** Clients branch on these: a code is never renamed and never changes its status. */
const CONTRACT = {
  400: ['invalid_request'],
  401: ['unauthorized'],
  402: ['insufficient_credits'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['idempotency_conflict', 'job_processing'],
  413: ['payload_too_large'],
  415: ['unsupported_media_type'],
  422: ['validation_failed'],
  429: ['quota_exceeded', 'rate_limit_exceeded'],
  500: ['internal_error'],
  503: ['service_unavailable', 'verify_unavailable'],
};

/** The console's page branches on these too. */
const CONSOLE = {
  401: ['sign_in_failed'],
  403: ['forbidden'],
  409: ['conflict', 'last_owner'],
  429: ['too_many_attempts'],
};

it.each([
  ['API', ERROR_CODES, CONTRACT],
  ['console', CONSOLE_ERROR_CODES, CONSOLE],
])('every error code of the %s has the status of the contract, and there is no other', (_, codes, contract) => {
  const byStatus: Record<string, string[]> = {};
  for (const code of codes) (byStatus[ERROR_STATUS[code]] ??= []).push(code);
  for (const together of Object.values(byStatus)) together.sort();
  expect(byStatus).toEqual(contract);
});
