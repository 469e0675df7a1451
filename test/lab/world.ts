import type { DnsData } from './dns/dns-data.js';
import type { MailHost } from './smtp/mail-host.js';

/** A small internet, as data. README.md tells how to extend one. */
export interface World {
  /** Records by owner name. */
  readonly dns: DnsData;
  /** Mail hosts by name. Each gets a loopback address, and an A (or AAAA) record unless `dns` has some for that name. */
  readonly hosts: Readonly<Record<string, MailHost>>;
}

/** The name of the prober in the lab: it resolves forward and backward. */
export const PROBER_NAME = 'verify.mailvet.test';

/** Merges worlds; a later one overrides a name. */
export function joinWorlds(...worlds: readonly World[]): World {
  return {
    dns: Object.assign({}, ...worlds.map((world) => world.dns)),
    hosts: Object.assign({}, ...worlds.map((world) => world.hosts)),
  };
}

/** A domain with one mail host, `mx.<domain>`. */
export function domainWithHost(domain: string, host: MailHost): World {
  return { dns: { [domain]: { MX: [[10, `mx.${domain}`]] } }, hosts: { [`mx.${domain}`]: host } };
}

/** A domain with several mail hosts, best first: `mx1.<domain>` with preference 10, `mx2.<domain>` with 20, … */
export function domainWithHosts(domain: string, hosts: readonly MailHost[]): World {
  const names = hosts.map((_, index) => `mx${index + 1}.${domain}`);
  return {
    dns: { [domain]: { MX: names.map((name, index) => [(index + 1) * 10, name]) } },
    hosts: Object.fromEntries(hosts.map((host, index) => [`mx${index + 1}.${domain}`, host])),
  };
}
