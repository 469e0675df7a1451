import { domainScore } from '../../domains/domain-score.js';
import type { DomainRecord } from '../../domains/store/domain-record.js';
import type { DomainProfile } from './domain-profiles.js';
import { oncePer } from './once-per.js';

/** Turns a profile into a domain record, as a crawl would have left it. */
export function domainRecordOf(domain: string, mailHosts: readonly string[], profile: DomainProfile): DomainRecord {
  const { types, parked } = profile;
  const { freemail, suspectedTrap, score } = judgementOf(profile);
  // The spread comes last: V8 makes a slow object if properties follow it.
  const facts = { domain, mailHosts, nullMx: null, nameServers: null, addresses: null, ...profile.facts };
  return { facts, types, parked, freemail, suspectedTrap, score };
}

/** The judgement of a profile, which does not depend on names. */
const judgementOf = oncePer(
  ({ facts, types, parked }: DomainProfile): Pick<DomainRecord, 'freemail' | 'suspectedTrap' | 'score'> => {
    const is = (type: 'disposable' | 'freemail'): boolean => types?.includes(type) === true;
    return {
      freemail: types === null ? null : is('freemail'),
      suspectedTrap: parked === true && facts.mailHostListed === true,
      score: domainScore(facts, { disposable: is('disposable'), parked, blocked: false }),
    };
  },
);
