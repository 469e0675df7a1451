import { domainScore } from '../../domains/domain-score.js';
import type { DomainRecord } from '../../domains/store/domain-record.js';
import type { DomainProfile } from './domain-profiles.js';
import { oncePer } from './once-per.js';

/** A profile as the record of a domain: what a crawl of it would have left. */
export function domainRecordOf(domain: string, mailHosts: readonly string[], profile: DomainProfile): DomainRecord {
  const { types, parked } = profile;
  const { freemail, suspectedTrap, score } = judgementOf(profile);
  // The spread comes last: V8 makes a slow object where others follow it.
  const facts = { domain, mailHosts, nullMx: null, nameServers: null, addresses: null, ...profile.facts };
  return { facts, types, parked, freemail, suspectedTrap, score };
}

/** What is made of the profile whatever the names are. */
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
