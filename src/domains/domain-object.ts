import type { DomainType } from './classify/classify-domain.js';
import type { DomainFacts } from './domain-facts.js';
import type { DomainObject } from './domain.response.js';

/** The judgement of the facts. */
export interface DomainJudgement {
  readonly types: readonly DomainType[] | null;
  readonly score: number | null;
}

/**
 * Builds the domain object of the API: a whitelist, so that new internal fields do not leak. `blocked` comes from
 * today's blocklist (`CuratedLists.blocked`) and overrides an earlier score, which then becomes 0 (decisions 8.3).
 */
export function toDomainObject(
  facts: DomainFacts,
  { types, score }: DomainJudgement,
  blocked: { readonly label: string | null } | null,
): DomainObject {
  return {
    name: facts.domain,
    types,
    score: blocked === null ? score : 0,
    spf: facts.spf,
    dkim: facts.dkim,
    dmarc: facts.dmarc,
    dmarc_policy: facts.dmarcPolicy,
    mta_sts: facts.mtaSts,
    tls_rpt: facts.tlsRpt,
    bimi: facts.bimi,
    dane: facts.dane,
    blacklists: facts.blacklists,
    dnssec: facts.dnssec,
    caa: facts.caa,
    blocked: blocked !== null,
    blocked_label: blocked?.label ?? null,
  };
}
