import type { MeteredResponse } from '../../billing/metering/metered-response.js';
import { FREE } from '../../billing/price.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import type { Mode } from '../../engine/verdict/result.js';
import { AppError } from '../../platform/errors/app-error.js';
import { readListEntry, type ListEntry } from '../batch-entry.js';
import { BATCH_PENDING_RETRY_AFTER_SECONDS, PENDING_RETRY_AFTER_SECONDS } from '../pending-retry-after.js';
import type { BatchEntry } from '../verify-batch.response.js';
import { verifyUnavailable } from '../verify-unavailable.js';
import { SANDBOX_LOCAL_PARTS } from './local-parts.js';
import { sandboxResult } from './sandbox-result.js';

const { rateLimited: RATE_LIMITED, failing: FAILING } = SANDBOX_LOCAL_PARTS;

/** The shortest `Retry-After` that a live key gets. */
const RATE_LIMIT_RETRY_AFTER_SECONDS = 1;

/** The answer to `POST /v1/verify/single` with a sandbox key. @throws AppError that the local part asks for */
export function sandboxSingle(email: string, mode: Mode): MeteredResponse {
  const parsed = parseAddress(email);
  if (parsed.ok && parsed.address.localPart === RATE_LIMITED) throw rateLimited();
  if (parsed.ok && parsed.address.localPart === FAILING) throw verifyUnavailable('a sandbox key asked for it');
  const body = sandboxResult(parsed, mode);
  const isPending = body.reason === 'verification_pending';
  return { status: 200, body, price: FREE, headers: isPending ? retryAfter(PENDING_RETRY_AFTER_SECONDS) : {} };
}

/** The answer to `POST /v1/verify/batch` with a sandbox key. @throws AppError that one of the local parts asks for */
export function sandboxBatch(emails: readonly unknown[], mode: Mode): MeteredResponse {
  const entries = emails.map(readListEntry);
  if (entries.some(asksForRateLimit)) throw rateLimited();
  const results = entries.map((entry) => sandboxEntry(entry, mode));
  const isPending = results.some((each) => 'reason' in each && each.reason === 'verification_pending');
  const headers = isPending ? retryAfter(BATCH_PENDING_RETRY_AFTER_SECONDS) : {};
  return { status: 200, body: { results }, price: FREE, headers };
}

/** The sandbox's result or error for an entry of a list. */
export function sandboxEntry(entry: ListEntry, mode: Mode): BatchEntry {
  if (entry.kind === 'no_address') return entry.error;
  const { sent, address, parsed } = entry;
  if (address.localPart === FAILING) return { email: sent, error: 'verify_unavailable' };
  return sandboxResult(parsed, mode);
}

function asksForRateLimit(entry: ListEntry): boolean {
  return entry.kind === 'address' && entry.address.localPart === RATE_LIMITED;
}

/** The error of local part `ratelimit`, for any call that includes it. */
export function rateLimited(): AppError {
  const message = 'This is the refusal that the sandbox was asked for; wait and try again.';
  return new AppError('rate_limit_exceeded', message, { retryAfterSeconds: RATE_LIMIT_RETRY_AFTER_SECONDS });
}

function retryAfter(seconds: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(seconds) };
}
