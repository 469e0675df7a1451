import type { ParsedAddress } from '../engine/address/address.js';
import { assess, type Assessment, type Knowledge } from '../engine/assess.js';
import type { Check } from '../engine/check.js';
import type { DomainKnowledge } from '../engine/domain-knowledge.js';
import type { Mode } from '../engine/verdict/result.js';
import { reasonKept, type CachedCheck } from './cache/cached-check.js';
import { withoutReason } from './cache/without-reason.js';
import { toVerifyResult, type Freshness, type VerifyResult } from './verify.response.js';

/** A result, and what its price and its further way depend on. */
export interface Judged {
  readonly result: VerifyResult;
  /** Row 7 or 8 of decisions 5.1 holds: that is cheaper. */
  readonly knownCatchAll: boolean;
}

/** Judges a check by what is known now. Pure but for the lists it reads. */
export function judge(check: Check, knowledge: Knowledge, domain: DomainKnowledge, freshness: Freshness): Judged {
  return shaped(assess(check, knowledge, domain), freshness);
}

/** The same of a check on record, at the depth of this call (decisions 6.7). */
export function judgeCached(
  cached: CachedCheck,
  { parsed, mode }: { readonly parsed: ParsedAddress; readonly mode: Mode },
  knowledge: Knowledge,
  domain: DomainKnowledge,
  freshness: Freshness,
): Judged {
  const { facts, checkedAt } = cached;
  const assessment = assess({ parsed, mode, deferred: false, facts, checkedAt }, knowledge, domain);
  return shaped(reasonKept(cached) ? assessment : withoutReason(assessment), freshness);
}

function shaped(assessment: Assessment, freshness: Freshness): Judged {
  return { result: toVerifyResult(assessment, freshness), knownCatchAll: assessment.knownCatchAll };
}
