import type { DomainObject } from '../domains/domain.response.js';
import type { Assessment } from '../engine/assess.js';
import { parseAddress } from '../engine/address/parse-address.js';
import type { Freshness, VerifyResult } from './verify.response.js';

/** Shapes an assessment for the wire: a whitelist, so that a new internal field does not leak. */
export function toVerifyResult(
  assessment: Assessment,
  freshness: Freshness,
  domain: DomainObject | null = null,
): VerifyResult {
  return {
    email: assessment.email,
    result: assessment.result,
    deliverable: assessment.deliverable,
    reason: assessment.reason,
    mx: assessment.mx,
    mx_record: assessment.mxRecord,
    disposable: assessment.disposable,
    role: assessment.role,
    catch_all: assessment.catchAll,
    free_email: assessment.freeEmail,
    relay: assessment.relay,
    relay_provider: assessment.relayProvider,
    parked: assessment.parked,
    spam_trap: assessment.spamTrap,
    spam_trap_type: assessment.spamTrapType,
    suggested_correction: assessment.suggestedCorrection,
    smtp_diagnosis: assessment.smtpDiagnosis,
    score: assessment.score,
    freshness,
    checked_at: assessment.checkedAt.toISOString(),
    domain,
    decision: { recommendation: assessment.decision.recommendation, reasons: assessment.decision.reasons },
    degraded: false,
  };
}

/** The result for a guard over its quota (decisions 9.3): nothing was checked. Pure. */
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
