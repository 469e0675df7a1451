import { ACCESS_PROVIDER_DOMAINS } from '../../engine/signals/data/access-provider-domains.js';
import { listedName } from '../../engine/signals/listed-name.js';
import type { SignalLists } from '../../engine/signals/lists.js';
import type { MailProvider } from '../../engine/smtp/provider.js';
import type { DomainFacts } from '../domain-facts.js';
import { BUSINESS_MAIL_PROVIDERS, FREEMAIL_MAIL_HOSTS } from './data/mail-suites.js';
import { isEducation } from './education.js';
import { isGovernment } from './government.js';
import { isParked } from './parked.js';

/** `types` of the domain object, sorted: a closed set that clients rely on (decisions 8.1). */
export const DOMAIN_TYPES = [
  'company',
  'custom',
  'disposable',
  'education',
  'freemail',
  'government',
  'isp',
  'public',
] as const;
export type DomainType = (typeof DOMAIN_TYPES)[number];

/** The lists and tables for classification. */
export interface ClassifyingKnowledge {
  readonly lists: Pick<SignalLists, 'isAllowListed' | 'isDisposableDomain' | 'isDisposableMailHost' | 'isFreemail'>;
  readonly findProvider: (mailHost: string) => Pick<MailProvider, 'id' | 'kind'> | null;
}

const accessProviders = new Set(ACCESS_PROVIDER_DOMAINS);
const freemailHosts = new Set(FREEMAIL_MAIL_HOSTS);
const businessProviders = new Set(BUSINESS_MAIL_PROVIDERS);

/**
 * The types of a domain, by today's lists (decisions 8.1): sorted, without repeats, at least one; null if unknown.
 * Lists and names are enough for most types. A company's or personal domain is only reported if the mail hosts are
 * known. No I/O.
 */
export function classifyDomain(facts: DomainFacts, knowledge: ClassifyingKnowledge): readonly DomainType[] | null {
  const types = new Set(listedTypes(facts, knowledge.lists));
  if (types.has('freemail') || types.has('isp') || types.has('disposable')) types.add('public');
  if (types.size === 0) {
    const own = ownType(facts, knowledge);
    if (own === null) return null;
    types.add(own);
  }
  return DOMAIN_TYPES.filter((type) => types.has(type));
}

function listedTypes({ domain, mailHosts }: DomainFacts, lists: ClassifyingKnowledge['lists']): DomainType[] {
  const hosts = mailHosts ?? [];
  const is = (type: DomainType, holds: boolean): DomainType[] => (holds ? [type] : []);
  const disposable = lists.isDisposableDomain(domain) || lists.isDisposableMailHost(hosts);
  const freemail = lists.isFreemail(domain) === true || hosts.some((host) => listedName(freemailHosts, host) !== null);
  return [
    ...is('disposable', disposable && !lists.isAllowListed(domain)),
    ...is('freemail', freemail),
    ...is('isp', listedName(accessProviders, domain) !== null),
    ...is('education', isEducation(domain)),
    ...is('government', isGovernment(domain)),
  ];
}

/** Classifies a domain on no list: a web site or a paid mail suite makes it a company; null if the domain is unused. */
function ownType(facts: DomainFacts, { findProvider }: ClassifyingKnowledge): DomainType | null {
  const { mx, addresses, mailHosts } = facts;
  if (mailHosts === null) return null;
  const isBusinessMail = mailHosts.some((host) => {
    const provider = findProvider(host);
    return provider !== null && (provider.kind === 'gateway' || businessProviders.has(provider.id));
  });
  const hasWebSite = addresses !== null && addresses.length > 0 && isParked(facts) !== true;
  if (isBusinessMail || hasWebSite) return 'company';
  if (addresses === null) return null;
  return mx === true || addresses.length > 0 ? 'custom' : null;
}
