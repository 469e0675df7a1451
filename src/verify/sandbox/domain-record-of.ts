import { domainScore } from '../../domains/domain-score.js';
import type { DomainRecord } from '../../domains/store/domain-record.js';
import type { DomainProfile } from './domain-profiles.js';

/** A profile as the record of a domain: what a crawl of it would have left. */
export function domainRecordOf(domain: string, mailHosts: readonly string[], profile: DomainProfile): DomainRecord {
  const { types, parked } = profile;
  const facts = { ...profile.facts, domain, mailHosts, nullMx: null, nameServers: null, addresses: null };
  const is = (type: 'disposable' | 'freemail'): boolean => types?.includes(type) === true;
  return {
    facts,
    types,
    parked,
    freemail: types === null ? null : is('freemail'),
    suspectedTrap: parked === true && facts.mailHostListed === true,
    score: domainScore(facts, { disposable: is('disposable'), parked, blocked: false }),
  };
}
