import type { DomainObject } from '../../domains/domain.response.js';
import { toDomainObject } from '../../domains/domain-object.js';
import { verifyUnavailable } from '../verify-unavailable.js';
import { DOMAIN_PROFILES, type DomainProfile } from './domain-profiles.js';
import { domainRecordOf } from './domain-record-of.js';
import { hashWords } from './hash-words.js';
import { SANDBOX_LOCAL_PARTS } from './local-parts.js';
import { rateLimited } from './sandbox.js';

/** Domains by their first label. */
const NAMED: ReadonlyMap<string, DomainProfile> = new Map<string, DomainProfile>([
  ['ordinary', DOMAIN_PROFILES.ordinary],
  ['best', DOMAIN_PROFILES.best],
  ['bare', DOMAIN_PROFILES.bare],
  ['disposable', DOMAIN_PROFILES.disposable],
  ['freemail', DOMAIN_PROFILES.freemail],
  ['education', DOMAIN_PROFILES.school],
  ['government', DOMAIN_PROFILES.agency],
  ['isp', DOMAIN_PROFILES.accessProvider],
  ['parked', DOMAIN_PROFILES.parked],
  ['listed', DOMAIN_PROFILES.disreputable],
  ['blocked', DOMAIN_PROFILES.disreputable],
  ['nomail', DOMAIN_PROFILES.withoutMail],
  ['unknown', DOMAIN_PROFILES.halfKnown],
]);
/** The same name gets the same profile for ever: add, remove or move none. */
const DERIVED = [
  DOMAIN_PROFILES.ordinary,
  DOMAIN_PROFILES.better,
  DOMAIN_PROFILES.best,
  DOMAIN_PROFILES.bare,
  DOMAIN_PROFILES.halfKnown,
  DOMAIN_PROFILES.school,
] as const;
const BLOCKED = { label: 'Impersonates a well-known brand' };

/**
 * The answer to `POST /v1/domains/lookup` with a sandbox key, by the first label of the domain.
 * @throws AppError that the label asks for
 */
export function sandboxDomain(domain: string): DomainObject {
  const [label = ''] = domain.split('.', 1);
  if (label === SANDBOX_LOCAL_PARTS.rateLimited) throw rateLimited();
  if (label === SANDBOX_LOCAL_PARTS.failing) throw verifyUnavailable('a sandbox key asked for it');
  const [word = 0] = hashWords(domain);
  const record = domainRecordOf(domain, [], NAMED.get(label) ?? DERIVED[word % DERIVED.length]!);
  return toDomainObject(record.facts, record, label === 'blocked' ? BLOCKED : null);
}
