import { ERROR_CODES } from '../../src/platform/errors/error-code.js';
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

it('every error code has the status of the contract, and there is no other', () => {
  const byStatus: Record<string, string[]> = {};
  for (const code of ERROR_CODES) (byStatus[ERROR_STATUS[code]] ??= []).push(code);
  for (const codes of Object.values(byStatus)) codes.sort();
  expect(byStatus).toEqual(CONTRACT);
});
