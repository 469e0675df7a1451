import type { MailHost } from '../dns/mail-hosts.js';
import type { DoNotProbe } from '../signals/lists.js';
import { addressesToTry } from './connect-host.js';
import type { Egress } from './egress.js';

/**
 * Whether an address of a mail host may be connected to about a domain: none of the three is on the do-not-probe list
 * (decisions 6.6).
 */
export function mayConnect(list: DoNotProbe, domain: string, host: MailHost, ip: string): boolean {
  return !list.isNoProbe(domain) && !list.isNoProbe(host.name) && !list.isNoProbeAddress(ip);
}

/** True when the domain, the host, or each of its addresses that would be tried, is on the do-not-probe list. */
export function isOffLimits(
  list: DoNotProbe,
  domain: string,
  { host, egress }: { readonly host: MailHost; readonly egress: Pick<Egress, 'ipv6'> },
): boolean {
  const may = (ip: string): boolean => mayConnect(list, domain, host, ip);
  return addressesToTry({ host, egress, othersWait: false, mayConnect: may }).length === 0;
}
