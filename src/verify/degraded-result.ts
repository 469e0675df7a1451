import { parseAddress } from '../engine/address/parse-address.js';
import type { VerifyResult } from './verify.response.js';

/** What a guard is told whose quota is used up (decisions 9.3): nothing was checked, and nothing is said. Pure. */
export function degradedResult(email: string): VerifyResult {
  const parsed = parseAddress(email);
  return {
    email: parsed.ok ? parsed.address.text : parsed.text,
    result: 'unknown',
    deliverable: null,
    reason: null,
    mx: false,
    mx_record: null,
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
    score: null,
    freshness: 'fresh',
    checked_at: null,
    domain: null,
    decision: { recommendation: 'review', reasons: [] },
    degraded: true,
  };
}
