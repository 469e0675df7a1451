import { classifyDomain, type ClassifyingKnowledge } from './classify/classify-domain.js';
import { isParked } from './classify/parked.js';
import type { DomainFacts } from './domain-facts.js';
import type { DomainJudgement } from './domain-object.js';
import { DOMAIN_SCORE_VERSION } from './domain-score-weights.js';
import { domainScore } from './domain-score.js';

/** Today's judgement of a domain's facts. */
export interface JudgedDomain extends DomainJudgement {
  /** null: unknown. */
  readonly parked: boolean | null;
  /** Parked, with its mail host on a DNS blacklist: `reputation_heuristic` (decisions 5.3). */
  readonly suspectedTrap: boolean;
  readonly scoreVersion: number;
}

/**
 * Judges the facts of a crawl. Pure except for the lists it reads. Takes some fifty microseconds, so it runs when facts
 * change, not for every result. Ignores the blocklist, which overrides the judgement when it is shown
 * (`toDomainObject`).
 */
export function judgeDomain(facts: DomainFacts, knowledge: ClassifyingKnowledge): JudgedDomain {
  const types = classifyDomain(facts, knowledge);
  const parked = isParked(facts);
  const disposable = types?.includes('disposable') ?? false;
  return {
    types,
    parked,
    suspectedTrap: parked === true && facts.mailHostListed === true,
    score: domainScore(facts, { disposable, parked, blocked: false }),
    scoreVersion: DOMAIN_SCORE_VERSION,
  };
}
