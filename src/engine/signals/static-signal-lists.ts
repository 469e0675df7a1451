import { getPublicSuffix } from 'tldts';
import { ACCESS_PROVIDER_DOMAINS } from './data/access-provider-domains.js';
import { DISPOSABLE_MAIL_HOSTS } from './data/disposable-mail-hosts.js';
import { FREEMAIL_DOMAINS } from './data/freemail-domains.js';
import { RELAY_SERVICES } from './data/relay-services.js';
import { NOTHING_ADDED, type AddedLists } from './added-lists.js';
import { listedName, NO_NAMES, type Names } from './listed-name.js';
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

/** The shipped lists merged with the fetched ones. Relay and freemail override disposable, from either source. */
export class StaticSignalLists implements SignalLists {
  private readonly disposable: Names;
  private readonly throwAwayHosts: Names;
  private readonly freemail: Names;
  private readonly allowed: Names;

  /**
   * @param shippedDisposable lowercase A-labels; ignores public suffixes and allow-listed names among them
   * @param added the same, fetched
   */
  constructor(
    private readonly shippedDisposable: Names,
    private readonly added: AddedLists = NOTHING_ADDED,
  ) {
    this.disposable = either(shippedDisposable, added.disposable);
    this.throwAwayHosts = either(disposableMailHosts, added.disposableMailHosts);
    this.freemail = either(freemail, added.freemail);
    this.allowed = either(allowed, either(added.freemail, added.relays.size === 0 ? NO_NAMES : added.relays));
  }

  /** The same shipped lists with other added ones. Cheap. */
  with(added: AddedLists): StaticSignalLists {
    return new StaticSignalLists(this.shippedDisposable, added);
  }

  isDisposableDomain(domain: string): boolean {
    const listed = listedName(this.disposable, domain);
    if (listed === null || this.isAllowListed(domain)) return false;
    // Lists hold whole zones (`edu.pl`, dynamic DNS): a match counts only below the domain's public suffix.
    const publicSuffix = getPublicSuffix(domain, { allowPrivateDomains: true, validateHostname: false });
    return listed.length > (publicSuffix?.length ?? 0);
  }

  isDisposableMailHost(hosts: readonly string[]): boolean {
    return hosts.some((host) => listedName(this.throwAwayHosts, host) !== null);
  }

  isAllowListed(domain: string): boolean {
    return listedName(this.allowed, domain) !== null;
  }

  isFreemail(domain: string): true | null {
    return listedName(this.freemail, domain) === null ? null : true;
  }

  relayProvider(domain: string, hosts: readonly string[]): string | null {
    const listed = listedName(relayDomains, domain);
    const service = listed === null ? undefined : relayDomains.get(listed);
    if (service !== undefined && (listed === domain || service.subdomains)) return service.name;
    const { relays } = this.added;
    const added = listedName(relays, domain);
    if (added !== null) return relays.get(added) ?? null;
    for (const host of hosts) {
      const name = listedName(relayMailHosts, host);
      if (name !== null) return relayMailHosts.get(name) ?? null;
    }
    return null;
  }

  isRole(localPart: string): boolean {
    return isRoleLocalPart(localPart, this.added.roleWords);
  }
}

function either(first: Names, second: Names): Names {
  if (second === NO_NAMES) return first;
  return { has: (name) => first.has(name) || second.has(name) };
}
