import type { Knowledge } from '../../engine/assess.js';
import type { MailHostFacts } from '../../engine/check.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import type { CachedCheck } from '../../verify/cache/cached-check.js';
import { toCachedCheck } from '../../verify/cache/to-cached-check.js';
import type { Freshness } from '../../verify/verify.response.js';
import { endingOf, type EndingTerms } from './ending.js';
import type { EntryFacts } from './entry-facts.js';
import type { Outcome, Retry } from './outcome.js';
import { standing, type DomainStanding } from './standing.js';
import type { Target } from './targets.js';

/** An address of a job with what is known of it before anybody is asked. */
export interface Known {
  readonly target: Target;
  readonly domain: DomainStanding;
  /** There was a check on record, which is too old. */
  readonly stale: boolean;
}

/** What a finding makes of an address. */
export type Settled =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** @property check what was found out, to be put on record all the same */
  | { readonly kind: 'retry'; readonly retry: Retry; readonly check: CachedCheck | null };

export interface OutcomeRulesOptions extends EndingTerms {
  readonly knowledge: Knowledge;
}

/** The rules by which addresses of a job come to their outcomes. Pure but for the lists they read and the clock. */
export class OutcomeRules {
  constructor(private readonly terms: OutcomeRulesOptions) {}

  /** By a check on record. One that was greylisted then counts as the first try. */
  byRecord({ target, domain }: Known, check: CachedCheck): Settled {
    const { facts, checkedAt, engineVersion } = check;
    const stands = standing(target.address, this.at(facts.mailHosts), this.terms.knowledge, domain);
    const ending = endingOf(facts, this.terms);
    if (ending.kind === 'retry' && !stands.sparesProbe) {
      // A clock that went back since then makes nobody wait for longer than the host asked for.
      const sinceMs = Math.max(0, Date.now() - checkedAt.getTime());
      const afterMs = Math.max(0, ending.afterMs - sinceMs);
      return { kind: 'retry', retry: { target, afterMs, egress: ending.egress }, check: null };
    }
    const known: EntryFacts = {
      facts,
      checkedAt,
      engineVersion,
      freshness: 'cached_recent',
      catchAll: domain.catchAll,
    };
    return outcome({ source: 'recorded', target, facts: known, check: null, knownCatchAll: stands.knownCatchAll });
  }

  /** By what the DNS says. @returns null when a mail host has to be asked */
  byDns({ target, domain, stale }: Known, mailHosts: MailHostFacts): Settled | null {
    const stands = standing(target.address, this.at(mailHosts), this.terms.knowledge, domain);
    if (!stands.sparesProbe) return null;
    const facts = fresh({ mailHosts, probe: null }, stale, domain);
    return outcome({
      source: 'dns',
      target,
      facts,
      check: this.toRecord(target, facts),
      knownCatchAll: stands.knownCatchAll,
    });
  }

  /** By what a mail host answered. */
  byProbe({ target, domain, stale }: Known, mailHosts: MailHostFacts, probe: ProbeFacts): Settled {
    const facts = fresh({ mailHosts, probe }, stale, domain);
    const check = this.toRecord(target, facts);
    const ending = endingOf(facts.facts, this.terms);
    if (ending.kind === 'retry') return { kind: 'retry', retry: { target, ...ending }, check };
    return outcome({ source: 'probe', target, facts, check, knownCatchAll: false });
  }

  private at(mailHosts: MailHostFacts | null) {
    return { mailHosts, mode: this.terms.mode };
  }

  private toRecord({ address, hashes }: Target, { facts, checkedAt }: EntryFacts): CachedCheck | null {
    return toCachedCheck(address, hashes[0]!, { facts, checkedAt, mode: this.terms.mode });
  }
}

function fresh(facts: EntryFacts['facts'], stale: boolean, { catchAll }: DomainStanding): EntryFacts {
  const freshness: Freshness = stale ? 'cached_stale_refreshed' : 'fresh';
  return { facts, checkedAt: new Date(), engineVersion: ENGINE_VERSION, freshness, catchAll };
}

function outcome({
  target,
  ...more
}: { readonly target: Target } & Omit<Extract<Outcome, { kind: 'facts' }>, 'kind' | 'positions'>): Settled {
  return { kind: 'outcome', outcome: { kind: 'facts', positions: target.positions, ...more } };
}
