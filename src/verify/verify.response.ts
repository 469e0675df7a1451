import type { DomainObject } from '../domains/domain-object.js';
import type { Assessment } from '../engine/assess.js';
import type { SmtpDiagnosis } from '../engine/smtp/classification.js';
import type { Reason, Recommendation, Result } from '../engine/verdict/result.js';

/** `freshness` of the contract (decisions 6.7). */
export type Freshness = 'fresh' | 'cached_recent' | 'cached_stale_refreshed';

/** The verify result object of the contract. Keys stand in the contract's order, all of them in every answer. */
export interface VerifyResult {
  readonly email: string;
  readonly result: Result;
  readonly deliverable: boolean | null;
  readonly reason: Reason | null;
  readonly mx: boolean;
  readonly mx_record: string | null;
  readonly disposable: boolean;
  readonly role: boolean;
  readonly catch_all: boolean;
  readonly free_email: boolean | null;
  readonly relay: boolean;
  readonly relay_provider: string | null;
  readonly parked: boolean;
  readonly spam_trap: boolean;
  readonly spam_trap_type: 'known_trap_domain' | 'reputation_heuristic' | null;
  readonly suggested_correction: string | null;
  readonly smtp_diagnosis: SmtpDiagnosis | null;
  readonly score: number | null;
  readonly freshness: Freshness;
  readonly checked_at: string | null;
  /** null until the domain has been crawled, and for what is no address. */
  readonly domain: DomainObject | null;
  readonly decision: { readonly recommendation: Recommendation; readonly reasons: readonly string[] };
  readonly degraded: boolean;
}

/** Shapes an assessment for the wire: a whitelist, so that nothing internal gets out by being added. */
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
