import { getPublicSuffix } from 'tldts';
import { ACCESS_PROVIDER_DOMAINS } from './data/access-provider-domains.js';
import { DISPOSABLE_MAIL_HOSTS } from './data/disposable-mail-hosts.js';
import { FREEMAIL_DOMAINS } from './data/freemail-domains.js';
import { RELAY_SERVICES } from './data/relay-services.js';
import { listedName, type Names } from './listed-name.js';
import type { SignalLists } from './lists.js';
import { isRoleLocalPart } from './role-local-part.js';

const freemail = new Set([...FREEMAIL_DOMAINS, ...ACCESS_PROVIDER_DOMAINS]);
const disposableMailHosts = new Set(DISPOSABLE_MAIL_HOSTS);
const relayDomains = new Map(RELAY_SERVICES.flatMap((service) => service.domains.map((domain) => [domain, service])));
const relayMailHosts = new Map(
  RELAY_SERVICES.flatMap((service) => (service.mailHosts ?? []).map((host) => [host, service.name])),
);
const allowed = new Set([
  ...freemail,
  ...RELAY_SERVICES.flatMap((service) => (service.expiring ? [] : service.domains)),
]);

/** The lists shipped with the product. The disposable domains, which age fastest, are given: they may be refreshed. */
export class StaticSignalLists implements SignalLists {
  /** `disposableDomains`: lowercase, in A-labels; what is a public suffix or allow-listed among them counts for nothing. */
  constructor(private readonly disposableDomains: Names) {}

  isDisposableDomain(domain: string): boolean {
    const listed = listedName(this.disposableDomains, domain);
    if (listed === null || this.isAllowListed(domain)) return false;
    // Lists hold whole zones (`edu.pl`, dynamic DNS): a hit counts only below the domain's public suffix.
    const publicSuffix = getPublicSuffix(domain, { allowPrivateDomains: true, validateHostname: false });
    return listed.length > (publicSuffix?.length ?? 0);
  }

  isDisposableMailHost(hosts: readonly string[]): boolean {
    return hosts.some((host) => listedName(disposableMailHosts, host) !== null);
  }

  isAllowListed(domain: string): boolean {
    return listedName(allowed, domain) !== null;
  }

  isFreemail(domain: string): true | null {
    return listedName(freemail, domain) === null ? null : true;
  }

  relayProvider(domain: string, hosts: readonly string[]): string | null {
    const listed = listedName(relayDomains, domain);
    const service = listed === null ? undefined : relayDomains.get(listed);
    if (service !== undefined && (listed === domain || service.subdomains)) return service.name;
    for (const host of hosts) {
      const name = listedName(relayMailHosts, host);
      if (name !== null) return relayMailHosts.get(name) ?? null;
    }
    return null;
  }

  isRole(localPart: string): boolean {
    return isRoleLocalPart(localPart);
  }
}
