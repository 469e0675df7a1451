import type { Registry } from 'prom-client';
import type { ServerTrouble } from '../engine/dns/name-server.js';
import { showFigures } from '../platform/metrics/show-gauge.js';
import type { HealthDetail } from '../platform/health/health-details.js';

/** The troubles of each server, in the order of `DNS_SERVERS`. */
export type DnsTroubles = readonly (readonly ServerTrouble[])[];

const MEANING: Readonly<Record<ServerTrouble, string>> = {
  not_definite:
    'says that names do not exist without having found it out: it filters answers, does not recurse, or does not reach ' +
    'other servers. Such domains are answered as unknown. Set a resolver of your own in DNS_SERVERS',
  no_edns:
    'does not answer EDNS, or something in front of it does not let it through. It is asked without; what its filter ' +
    'says of itself cannot be seen, and DNSSEC may not be',
  silent:
    'does not answer, or answers only that it cannot. Without another one, calls that need it get 503. Check that it runs ' +
    'and can be reached',
};

/** The log message. @param server `ip:port` */
export function dnsWarning(server: string, trouble: ServerTrouble): string {
  return `DNS server ${server} ${MEANING[trouble]}`;
}

/** For public health output: servers are numbered, not named. */
export function dnsHealth(servers: DnsTroubles): HealthDetail {
  return {
    state: servers.map((troubles, index) => ({
      server: index + 1,
      answers: !troubles.includes('silent'),
      edns: !troubles.includes('no_edns'),
      definite: !troubles.includes('not_definite'),
    })),
    warnings: servers.flatMap((troubles, index) => troubles.map((trouble) => dnsWarning(String(index + 1), trouble))),
  };
}

/** A gauge per server and trouble, set while the trouble lasts. */
export function showDnsTroubles(registry: Registry, read: () => DnsTroubles): void {
  const help = 'What is amiss with a server of DNS_SERVERS, by its place there: 1 while it lasts';
  showFigures(registry, 'mailvet_dns_server_trouble', help, ['server', 'trouble'], () =>
    read().flatMap((troubles, index) => troubles.map((trouble) => [{ server: String(index + 1), trouble }, 1])),
  );
}
