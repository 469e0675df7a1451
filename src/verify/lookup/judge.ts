import { toDomainObject } from '../../domains/domain-object.js';
import type { DomainObject } from '../../domains/domain.response.js';
import type { DomainRecord } from '../../domains/store/domain-record.js';
import type { ParsedAddress } from '../../engine/address/address.js';
import { assess, type Assessment, type Knowledge } from '../../engine/assess.js';
import type { Check } from '../../engine/check.js';
import type { DomainKnowledge } from '../../engine/domain-knowledge.js';
import type { Mode } from '../../engine/verdict/result.js';
import { reasonKept, type CachedCheck } from '../cache/cached-check.js';
import { withoutReason } from '../cache/without-reason.js';
import { toVerifyResult } from '../to-verify-result.js';
import type { Freshness, VerifyResult } from '../verify.response.js';

/** A result, and the facts that its price and next step depend on. */
export interface Judged {
  readonly result: VerifyResult;
  /** Row 7 or 8 of decisions 5.1 holds, which costs less. */
  readonly knownCatchAll: boolean;
}

/** The findings about an address's domain that its result needs. */
export interface KnownDomain extends DomainKnowledge {
  readonly crawled?: DomainRecord | null;
}

/** Judges a check by current knowledge. Pure except for the lists it reads. */
export function judge(check: Check, knowledge: Knowledge, domain: KnownDomain, freshness: Freshness): Judged {
  return shaped(assess(check, knowledge, domain), freshness, objectOf(domain, knowledge));
}

/** Judges a cached check, at the depth of this call (decisions 6.7). */
export function judgeCached(
  cached: Pick<CachedCheck, 'facts' | 'checkedAt' | 'engineVersion'>,
  { parsed, mode }: { readonly parsed: ParsedAddress; readonly mode: Mode },
  knowledge: Knowledge,
  domain: KnownDomain,
  freshness: Freshness,
): Judged {
  const { facts, checkedAt } = cached;
  const assessment = assess({ parsed, mode, deferred: false, facts, checkedAt }, knowledge, domain);
  const told = reasonKept(cached) ? assessment : withoutReason(assessment);
  return shaped(told, freshness, objectOf(domain, knowledge));
}

function shaped(assessment: Assessment, freshness: Freshness, domain: DomainObject | null): Judged {
  return { result: toVerifyResult(assessment, freshness, domain), knownCatchAll: assessment.knownCatchAll };
}

/** Today's list decides whether a domain is blocked, not its crawl. */
function objectOf({ crawled }: KnownDomain, { curated }: Knowledge): DomainObject | null {
  if (crawled === undefined || crawled === null) return null;
  return toDomainObject(crawled.facts, crawled, curated.blocked(crawled.facts.domain));
}
