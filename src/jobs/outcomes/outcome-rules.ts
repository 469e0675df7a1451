import type { Knowledge } from '../../engine/assess.js';
import type { MailHostFacts } from '../../engine/check.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import type { CachedCheck } from '../../verify/cache/cached-check.js';
import { toCachedCheck } from '../../verify/cache/to-cached-check.js';
import type { Freshness } from '../../verify/verify.response.js';
import { decideRetry, type RetryDecisionOptions } from '../../verify/bulk/retry-decision.js';
import type { EntryFacts } from './entry-facts.js';
import type { Outcome, Retry } from './outcome.js';
import { judgeBeforeProbe, type DomainCatchAll } from './judge-before-probe.js';
import type { Target } from './targets.js';

/** An address of a job, and the facts known before any probe. */
export interface Known {
  readonly target: Target;
  readonly domain: DomainCatchAll;
  /** True if there is a check on record that is too old. */
  readonly stale: boolean;
}

export const addressOf = ({ target }: Known): Target['address'] => target.address;

/** Decision about an address after a check. */
export type Settled =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** @property check the check to put on record all the same */
  | { readonly kind: 'retry'; readonly retry: Retry; readonly check: CachedCheck | null };

export interface OutcomeRulesOptions extends RetryDecisionOptions {
  readonly knowledge: Knowledge;
}

/** Decides the outcomes of a job's addresses. Pure except for the lists and the clock. */
export class OutcomeRules {
  constructor(private readonly terms: OutcomeRulesOptions) {}

  /** Settles an address by a check on record. A check that was greylisted counts as the first attempt. */
  byRecord({ target, domain }: Known, check: CachedCheck): Settled {
    const { facts, checkedAt, engineVersion } = check;
    const judgement = judgeBeforeProbe(target.address, this.at(facts.mailHosts), this.terms.knowledge, domain);
    const decision = decideRetry(facts, this.terms);
    if (decision.kind === 'retry' && !judgement.sparesProbe) {
      // If the clock went back, the address still waits no longer than the host asked for.
      const sinceMs = Math.max(0, Date.now() - checkedAt.getTime());
      const afterMs = Math.max(0, decision.afterMs - sinceMs);
      return { kind: 'retry', retry: { target, afterMs, egress: decision.egress }, check: null };
    }
    const known: EntryFacts = {
      facts,
      checkedAt,
      engineVersion,
      freshness: 'cached_recent',
      catchAll: domain.catchAll,
    };
    return outcome({ source: 'recorded', target, facts: known, check: null, knownCatchAll: judgement.knownCatchAll });
  }

  /** Settles an address by its DNS records. @returns null if a mail host must be probed */
  byDns({ target, domain, stale }: Known, mailHosts: MailHostFacts): Settled | null {
    const judgement = judgeBeforeProbe(target.address, this.at(mailHosts), this.terms.knowledge, domain);
    if (!judgement.sparesProbe) return null;
    const facts = fresh({ mailHosts, probe: null }, stale, domain);
    return outcome({
      source: 'dns',
      target,
      facts,
      check: this.toRecord(target, facts),
      knownCatchAll: judgement.knownCatchAll,
    });
  }

  /** Settles an address by a mail host's answer. */
  byProbe({ target, domain, stale }: Known, mailHosts: MailHostFacts, probe: ProbeFacts): Settled {
    const facts = fresh({ mailHosts, probe }, stale, domain);
    const check = this.toRecord(target, facts);
    const decision = decideRetry(facts.facts, this.terms);
    if (decision.kind === 'retry') return { kind: 'retry', retry: { target, ...decision }, check };
    return outcome({ source: 'probe', target, facts, check, knownCatchAll: false });
  }

  private at(mailHosts: MailHostFacts | null) {
    return { mailHosts, mode: this.terms.mode };
  }

  private toRecord({ address, hashes }: Target, { facts, checkedAt }: EntryFacts): CachedCheck | null {
    return toCachedCheck(address, hashes[0]!, { facts, checkedAt, mode: this.terms.mode });
  }
}

function fresh(facts: EntryFacts['facts'], stale: boolean, { catchAll }: DomainCatchAll): EntryFacts {
  const freshness: Freshness = stale ? 'cached_stale_refreshed' : 'fresh';
  return { facts, checkedAt: new Date(), engineVersion: ENGINE_VERSION, freshness, catchAll };
}

function outcome({
  target,
  ...more
}: { readonly target: Target } & Omit<Extract<Outcome, { kind: 'facts' }>, 'kind' | 'positions'>): Settled {
  return { kind: 'outcome', outcome: { kind: 'facts', positions: target.positions, ...more } };
}
