import type { Caller } from '../auth/caller.js';
import type { MeteredKind } from '../billing/metering/metered-kind.js';
import type { UsageCounter } from '../billing/usage/usage-counter.js';
import type { BatchEntry } from './verify-batch.response.js';
import type { VerifyResult } from './verify.response.js';

/** Counts the verdicts of an answer to a live key. @param body of a single or a batch */
export function countUsage(
  usage: Pick<UsageCounter, 'count'>,
  caller: Caller,
  endpoint: MeteredKind,
  body: unknown,
): void {
  const entries =
    endpoint === 'batch' ? (body as { readonly results: readonly BatchEntry[] }).results : [body as VerifyResult];
  for (const entry of entries) {
    if ('result' in entry && !entry.degraded) usage.count(caller, endpoint, entry.result);
  }
}
